import type { Middleware } from 'koa';
import type { Draining } from '../draining.ts';

/** While the process is draining, closes each connection after its response, so that clients reconnect elsewhere. */
export const closeWhenDraining =
  (draining: Draining): Middleware =>
  async (ctx, next) => {
    if (draining.isOn()) ctx.set('Connection', 'close');
    await next();
    // Draining may have started during the request.
    if (draining.isOn()) ctx.set('Connection', 'close');
  };
