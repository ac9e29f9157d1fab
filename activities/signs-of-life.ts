import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';

/** Milliseconds between two signs: several fit into the shortest limit of `workflows/policies.ts`. */
export const SIGN_EVERY_MS = 1_000;

/**
 * While a step runs, tells Temporal every second that its worker lives. A worker that was killed goes silent, and the
 * step is given to another as soon as the policy's `heartbeatTimeout` is over, rather than when its longest time is. Most
 * steps end before their first sign.
 */
export const signsOfLife = (context: Context): ActivityInterceptors => ({
  inbound: {
    async execute(input, next) {
      if (!context.info.heartbeatTimeoutMs) return next(input);
      const timer = setInterval(() => context.heartbeat(), SIGN_EVERY_MS);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
