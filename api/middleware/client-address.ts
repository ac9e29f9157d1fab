import { isIP } from 'node:net';
import type { Context, Next } from 'koa';

/** Removes a port from the caller's address: some proxies add `address:port` or `[address]:port` to X-Forwarded-For. */
export async function clientAddress(ctx: Context, next: Next): Promise<void> {
  ctx.request.ip = withoutPort(ctx.ip);
  await next();
}

function withoutPort(text: string): string {
  // An IPv6 address without brackets contains colons itself.
  if (isIP(text) !== 0) return text;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  return isIP(address) === 0 ? text : address;
}
