/** Compiles test files with all modules of this repository that they load into `outdir`. */
export function bundleTests(
  files: readonly string[],
  options: { readonly outdir: string; readonly built?: string },
): Promise<void>;
