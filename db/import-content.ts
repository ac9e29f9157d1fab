import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ImportContent } from '../domain/imports.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The rows of an import as they are stored. */
export const packContent = (content: ImportContent): Promise<Buffer> => compress(JSON.stringify(content), { level: 3 });

/** The rows that `packContent` stored. */
export async function unpackContent(stored: Buffer): Promise<ImportContent> {
  const text = (await decompress(stored)).toString();
  // Written by packContent, and only the service writes the column.
  return JSON.parse(text) as ImportContent;
}
