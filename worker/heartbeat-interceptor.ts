import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';

/** Several heartbeats fit into the shortest heartbeat timeout of `workflows/policies.ts`. */
export const HEARTBEAT_INTERVAL_MS = 1_000;

/**
 * Sends a heartbeat every second while an activity runs. A killed worker sends none, so Temporal gives the activity to
 * another as soon as the policy's `heartbeatTimeout` is over, rather than after its `startToCloseTimeout`. Most activities
 * end before their first heartbeat.
 */
export const heartbeatInterceptor = (context: Context): ActivityInterceptors => ({
  inbound: {
    async execute(input, next) {
      if (!context.info.heartbeatTimeoutMs) return next(input);
      const timer = setInterval(() => context.heartbeat(), HEARTBEAT_INTERVAL_MS);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
