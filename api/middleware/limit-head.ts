import type { Context, Next } from 'koa';
import { headersTooLarge, urlTooLong } from '../../domain/request-refusals.ts';

const MAX_URL_BYTES = 8 * 1024;

/**
 * Fits the cookies of a whole site. Bounded, because headers are parsed before authentication, some not in linear time.
 */
const MAX_HEADERS_BYTES = 16 * 1024;

/** Responds 413 to a URL of more than 8 KiB or headers of more than 16 KiB. */
export async function limitHead(ctx: Context, next: Next): Promise<void> {
  const headers = ctx.req.rawHeaders.reduce((bytes, part) => bytes + part.length, 0);
  if (headers > MAX_HEADERS_BYTES) {
    // The error handling reads them too.
    ctx.req.headers = {};
    throw headersTooLarge();
  }
  if (Buffer.byteLength(ctx.url) > MAX_URL_BYTES) throw urlTooLong();
  await next();
}
