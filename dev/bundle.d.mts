/** Bundles the entry points that `folder` holds. */
export function bundleEntries(folder: string): Promise<void>;
