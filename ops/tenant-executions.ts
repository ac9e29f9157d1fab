import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { terminateIdle } from '../adapters/temporal/tenant-executions.ts';
import { CommandError } from './commands/command.ts';

const POLL_MS = 500;
/** An activity ends within its own time limits; a lost one is known to be lost after its heartbeat or start-to-close timeout. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Terminates all executions of a tenant, each when no worker is executing an activity of it. Returns how many; throws a
 * CommandError when some are busy for five minutes.
 */
export async function terminateExecutions(temporal: TemporalClient, tenantId: string): Promise<number> {
  const until = Date.now() + PATIENCE_MS;
  const all = new Set<string>();
  for (;;) {
    const { ended, busy } = await terminateIdle(temporal, tenantId);
    for (const runId of ended) all.add(runId);
    // Until the list is empty, too: it lags behind.
    if (ended.length + busy.length === 0) return all.size;
    if (Date.now() > until)
      throw new CommandError(
        `Hay ${busy.length} ejecuciones con actividades en curso que no terminan; repita la orden más tarde.`,
      );
    await sleep(POLL_MS);
  }
}
