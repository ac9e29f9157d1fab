import type { Readable } from 'node:stream';

/** The most bytes that are read before the socket is destroyed, and that are kept. */
const READ_BYTES = 64 * 1024;
const MAX_STORED_BYTES = 4 * 1024;

/** The start of a response body as storable text. A longer body is truncated; one that breaks off throws. */
export async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  // Leaving the loop early destroys the stream, and the socket with it.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < MAX_STORED_BYTES) chunks.push(chunk);
    read += chunk.length;
    if (read >= READ_BYTES) break;
  }
  return storableText(Buffer.concat(chunks).subarray(0, MAX_STORED_BYTES));
}

/** UTF-8 without U+0000, which PostgreSQL refuses, and without invalid bytes. */
export const storableText = (bytes: Uint8Array): string =>
  // stream: a truncated last character is dropped instead of being replaced.
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }).replace(/[\0\uFFFD]/g, '');
