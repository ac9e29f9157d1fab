import type { Middleware } from 'koa';
import type { Draining } from '../draining.ts';

/** While the process drains each connection has served its last request: the next goes to another process. */
export const lastRequest =
  (draining: Draining): Middleware =>
  async (ctx, next) => {
    if (draining.isOn()) ctx.set('Connection', 'close');
    await next();
    // It may have begun meanwhile.
    if (draining.isOn()) ctx.set('Connection', 'close');
  };
