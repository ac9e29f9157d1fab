import type { IncomingMessage } from 'node:http';

/** Fits a page of a history in base64. One payload may have 2 MB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The body as text, or undefined if it is too large; then the rest is not read. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
