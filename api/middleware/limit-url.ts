import type { Context, Next } from 'koa';
import { tooLarge } from '../../domain/errors.ts';

const LIMIT_BYTES = 8 * 1024;

/** 413 for a URL of more than 8 KiB (decisions, section 1). */
export async function limitUrl(ctx: Context, next: Next): Promise<void> {
  if (Buffer.byteLength(ctx.url) > LIMIT_BYTES) throw tooLarge();
  await next();
}
