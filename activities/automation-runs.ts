import type { Log } from '../adapters/log.ts';
import type { WorkerMetrics } from '../adapters/metrics/metrics.ts';
import { AutomationLog } from '../db/models/automation-log.ts';
import { AutomationStep } from '../db/models/automation-step.ts';
import { Quote } from '../db/models/quote.ts';
import { Tenant } from '../db/models/tenant.ts';
import { automationFacts } from '../db/reads/automation-facts.ts';
import { type AutomationRun, readRun } from '../db/reads/automation-run.ts';
import type { TenantTransaction, WithTenant } from '../db/with-tenant.ts';
import type { AutomationAction } from '../domain/automation.ts';
import { allHold, evaluateCondition } from '../domain/conditions.ts';
import { hasFeature } from '../domain/plans.ts';
import type { AutomationRunRef } from '../workflows/contract.ts';

/** What a run waits for and does, without the words: they are read when they are needed. */
export interface AutomationRunSteps {
  readonly quoteNumber: number;
  readonly automationId: string;
  /** ISO 8601: when the delay is over. */
  readonly dueAt: string;
  readonly actions: readonly AutomationAction['type'][];
}

/** How a run ended: `error` says why it failed, or why nothing was done. */
export interface RunEnding {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly error: string | null;
}

const MINUTE_MS = 60_000;

export interface RunDeps {
  readonly withTenant: WithTenant;
  readonly log: Log;
  readonly metrics?: Pick<WorkerMetrics, 'automationRuns'> | undefined;
}

/** The beginning and the end of an automation's run, in its log. */
export const createAutomationRunActivities = ({ withTenant, log, metrics }: RunDeps) => ({
  /** What there is to do; undefined when the run is over already, or was deleted with its automation. */
  async beginRun({ tenantId, logId }: AutomationRunRef): Promise<AutomationRunSteps | undefined> {
    const run = await withTenant(tenantId, (trx) => readRun(trx, logId));
    if (run?.log.status !== 'TRIGGERED') return undefined;
    const { log, quote, actions } = run;
    return {
      quoteNumber: quote.quoteNumber,
      automationId: log.automationId,
      dueAt: new Date(log.triggeredAt.getTime() + log.delayMinutes * MINUTE_MS).toISOString(),
      actions: actions.map(({ type }) => type),
    };
  },

  /** Once the delay is over: why nothing is to be done any more, or null to go on. Undefined when it was deleted. */
  async reasonToSkip({ tenantId, logId }: AutomationRunRef): Promise<string | null | undefined> {
    return withTenant(tenantId, async (trx) => {
      const run = await readRun(trx, logId);
      return run && reasonToSkip(trx, run);
    });
  },

  /** Writes the ending down. The first one stays. */
  async closeRun({ tenantId, logId, status, error }: AutomationRunRef & RunEnding): Promise<void> {
    const run = await withTenant(tenantId, async (trx) => {
      const [closed] = await AutomationLog.query(trx)
        .where({ tenantId, id: logId, status: 'TRIGGERED' })
        .patch({ status, error, completedAt: new Date() })
        .returning(['automationId', 'quoteId']);
      if (!closed) return undefined;
      const { automationId, quoteId } = closed;
      const { quoteNumber } = await Quote.query(trx).findOne({ tenantId, id: quoteId }).throwIfNotFound();
      return { automationId, quoteId, quoteNumber };
    });
    if (!run) return;
    const outcome = status === 'FAILED' ? 'failed' : error === null ? 'completed' : 'skipped';
    metrics?.automationRuns.inc({ status: outcome });
    log[outcome === 'failed' ? 'warn' : 'info']({ ...run, reason: error ?? undefined }, `automation run ${outcome}`);
  },
});
export type AutomationRunActivities = ReturnType<typeof createAutomationRunActivities>;

async function reasonToSkip(
  trx: TenantTransaction,
  { log, automation, quote, conditions }: AutomationRun,
): Promise<string | null> {
  const { tenantId, id: logId } = log;
  // A resumed run is not checked again: its own first actions may have made the conditions false.
  if (await AutomationStep.query(trx).findOne({ tenantId, logId }).limit(1)) return null;
  const { plan } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  if (!hasFeature(plan, 'automations')) return 'omitida: el plan ya no incluye automatizaciones';
  if (!automation.isActive) return 'omitida: la automatización está inactiva';
  // Without a delay the conditions were checked just now, and other runs of the same event may have begun to act.
  if (log.delayMinutes === 0) return null;
  // No condition asks for the address of the client's page.
  const facts = await automationFacts(trx, quote, '');
  const holds = allHold(conditions.map((condition) => evaluateCondition(condition, facts)));
  return holds ? null : 'omitida: las condiciones ya no se cumplen';
}
