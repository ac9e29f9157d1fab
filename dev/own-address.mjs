import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Plugin of esbuild: gives bundled TypeScript modules a fixed address, by which they find their files, threads and child processes. */
export const ownAddress = (addressOf) => ({
  name: 'own-address',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const address = addressOf(file);
      const source = await readFile(file, 'utf8');
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(address).href))
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(address)))
        .replaceAll('import.meta.filename', JSON.stringify(address));
      return { contents, loader: 'ts' };
    });
  },
});
