import type { Context, Next } from 'koa';
import { tooLarge } from '../../domain/errors.ts';

const MAX_URL_BYTES = 8 * 1024;

/** Enough for the cookies of a whole site; parsers of some headers are not linear, and all of them come before the sign-in. */
const MAX_HEADERS_BYTES = 16 * 1024;

/** 413 for a URL of more than 8 KiB (decisions, section 1), or headers of more than 16 KiB. */
export async function limitHead(ctx: Context, next: Next): Promise<void> {
  const headers = ctx.req.rawHeaders.reduce((bytes, part) => bytes + part.length, 0);
  if (headers > MAX_HEADERS_BYTES) {
    // What remains to be done for the refusal looks at them too.
    ctx.req.headers = {};
    throw tooLarge();
  }
  if (Buffer.byteLength(ctx.url) > MAX_URL_BYTES) throw tooLarge();
  await next();
}
