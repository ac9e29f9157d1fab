import type { AutomationAction } from '../../domain/automation.ts';
import type { Condition } from '../../domain/conditions.ts';
import { Automation } from '../models/automation.ts';
import { AutomationLog } from '../models/automation-log.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { type FullQuote, readFullQuote } from './full-quote.ts';

/** An automation run with its automation and event. */
export interface AutomationRun {
  readonly log: AutomationLog;
  readonly automation: Automation;
  readonly quote: FullQuote;
  /** As they were when it was triggered. */
  readonly conditions: readonly Condition[];
  readonly actions: readonly AutomationAction[];
}

/** A run by the id of its log; undefined when its automation was deleted with its logs. */
export async function readRun(trx: TenantTransaction, logId: string): Promise<AutomationRun | undefined> {
  const tenantId = tenantOf(trx);
  const log = await AutomationLog.query(trx).findOne({ tenantId, id: logId });
  if (!log) return undefined;
  const automation = await Automation.query(trx).findOne({ tenantId, id: log.automationId });
  const quote = await readFullQuote(trx, log.quoteId);
  if (!automation || !quote) return undefined;
  return {
    log,
    automation,
    quote,
    // Both were checked against their schemas when written, and nothing else writes them.
    conditions: JSON.parse(log.conditions) as readonly Condition[],
    actions: JSON.parse(log.actions) as readonly AutomationAction[],
  };
}
