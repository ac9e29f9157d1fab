/** A built site: its files by address. */
export interface Manifest {
  /** Hash of everything that it was built from. */
  readonly inputs: string;
  /** Links of the documents that lead nowhere. */
  readonly problems: readonly string[];
  readonly files: Readonly<Record<string, SiteFile>>;
}

export interface SiteFile {
  /** In the site's folder, with `.br` and `.gzip` beside it. */
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
}

export const MANIFEST = 'manifest.json';
