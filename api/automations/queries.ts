import { Automation } from '../../db/models/automation.ts';
import { AutomationLog } from '../../db/models/automation-log.ts';
import { newestFirst } from '../../db/reads/newest-first.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { automationNotFound } from '../../domain/errors.ts';

/** An automation with the number of its automation runs and the last of them. */
export type ListedAutomation = Automation & { readonly logCount: number; readonly lastRun: AutomationLog | undefined };

/** The tenant's automations, newest first. */
export async function listAutomations(trx: TenantTransaction, tenantId: string): Promise<readonly ListedAutomation[]> {
  const automations = await Automation.query(trx)
    .where({ tenantId })
    .select(
      'automations.*',
      trx.raw(
        `(select count(*)::int from automation_logs l
           where l.tenant_id = automations.tenant_id and l.automation_id = automations.id) as ??`,
        ['logCount'],
      ),
      trx.raw(
        `(select l.id from automation_logs l
           where l.tenant_id = automations.tenant_id and l.automation_id = automations.id
           order by l.triggered_at desc, l.id desc limit 1) as ??`,
        ['lastLogId'],
      ),
    )
    .orderBy(newestFirst());
  // The select above adds these members.
  const counted = automations as (Automation & { logCount: number; lastLogId: string | null })[];
  const ids = counted.flatMap(({ lastLogId }) => lastLogId ?? []);
  const logs = ids.length === 0 ? [] : await AutomationLog.query(trx).where({ tenantId }).whereIn('id', ids);
  const byAutomation = new Map(logs.map((log) => [log.automationId, log]));
  return counted.map((automation) => Object.assign(automation, { lastRun: byAutomation.get(automation.id) }));
}

export async function findAutomation(trx: TenantTransaction, tenantId: string, id: string): Promise<Automation> {
  const automation = await Automation.query(trx).findOne({ tenantId, id });
  if (!automation) throw automationNotFound();
  return automation;
}

/** Finds an automation and locks it until the transaction ends. */
export async function lockAutomation(trx: TenantTransaction, tenantId: string, id: string): Promise<Automation> {
  const automation = await Automation.query(trx).findOne({ tenantId, id }).forUpdate();
  if (!automation) throw automationNotFound();
  return automation;
}

/** One page of the runs of an automation, newest first. */
export async function listLogs(
  trx: TenantTransaction,
  { tenantId, id }: Automation,
  { page, limit }: { page: number; limit: number },
) {
  const { results, total } = await AutomationLog.query(trx)
    .where({ tenantId, automationId: id })
    .orderBy([
      { column: 'triggeredAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .page(page - 1, limit);
  return { logs: results, total };
}
