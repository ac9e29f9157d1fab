import type { Log } from '../../adapters/log.ts';
import type { WorkerMetrics } from '../../adapters/metrics/metrics.ts';
import { tenantsPage } from '../../db/reads/tenants.ts';
import { ChainBroken, type SealDeps, sealNextRange } from '../../db/writes/seal-audit.ts';

export interface AuditSealDeps extends SealDeps {
  readonly log: Log;
  readonly metrics?: Pick<WorkerMetrics, 'auditChainsBroken'> | undefined;
}

/** Businesses of a batch. */
const BATCH = 50;

/**
 * Seals what is old enough in the audit logs of one batch of businesses. A broken chain is logged and kept as it
 * is, for `audit verify` to show; the others are sealed. Returns how many entries were sealed.
 */
export async function sealAuditLogs(
  deps: AuditSealDeps,
  after: string,
): Promise<{ readonly done: number; readonly after: string | undefined }> {
  const tenants = await tenantsPage(deps.dispatcher, { after, limit: BATCH });
  let done = 0;
  for (const { id } of tenants) done += await sealAll(deps, id);
  return { done, after: tenants.length < BATCH ? undefined : tenants.at(-1)?.slug };
}

async function sealAll(deps: AuditSealDeps, tenantId: string): Promise<number> {
  let entries = 0;
  try {
    for (;;) {
      const sealed = await sealNextRange(deps, tenantId);
      if (sealed === 0) return entries;
      entries += sealed;
    }
  } catch (error) {
    if (!(error instanceof ChainBroken)) throw error;
    deps.metrics?.auditChainsBroken.inc();
    deps.log.error({ err: error, tenantId }, 'an audit log is not sealed any more: its chain of seals is broken');
    return entries;
  }
}
