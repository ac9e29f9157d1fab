import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

/** A file that is the same for everybody, until the service is updated. */
export interface StaticFile {
  send(ctx: Context): Promise<void>;
}

interface Stored {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/**
 * Compresses the content, or that of the file at a URL, once and in the background when the service starts. Browsers ask
 * whether what they have is still the same, unless `headers` say for how long it is.
 */
export function staticFile(
  type: string,
  content: string | URL,
  headers: Readonly<Record<string, string>> = {},
): StaticFile {
  const storing = store(content);
  // A file that is missing is an error of the request for it, not of the process.
  storing.catch(() => undefined);
  return {
    async send(ctx) {
      const { plain, gzipped, etag } = await storing;
      ctx.type = type;
      ctx.set({ 'Cache-Control': 'public, no-cache', ...headers, ETag: etag });
      ctx.vary('Accept-Encoding');
      ctx.status = 200;
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
      if (isGzip) ctx.set('Content-Encoding', 'gzip');
      ctx.body = isGzip ? gzipped : plain;
    },
  };
}

async function store(content: string | URL): Promise<Stored> {
  const plain = typeof content === 'string' ? Buffer.from(content) : await readFile(content);
  // Weak, for both forms have it (RFC 9110, section 8.8.1).
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  const gzipped = await promisify(gzip)(plain);
  return { plain, gzipped, etag };
}
