import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

/** A file that changes only with the version of the service. */
export interface StaticFile {
  send(ctx: Context): Promise<void>;
}

interface CompressedFile {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Compresses the content, or the file at a URL, at the first request. Browsers revalidate it unless `headers` set Cache-Control. */
export function staticFile(
  type: string,
  content: URL | (() => string),
  headers: Readonly<Record<string, string>> = {},
): StaticFile {
  let storing: Promise<CompressedFile> | undefined;
  return {
    async send(ctx) {
      const { plain, gzipped, etag } = await (storing ??= compress(content));
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

async function compress(content: URL | (() => string)): Promise<CompressedFile> {
  const plain = content instanceof URL ? await readFile(content) : Buffer.from(content());
  // Weak, because the compressed and the plain form share it (RFC 9110, section 8.8.1).
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  const gzipped = await promisify(gzip)(plain);
  return { plain, gzipped, etag };
}
