import { AutomationStep } from '../models/automation-step.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** An effect of an automation run: the action, from 0, and the part of it where it has several. */
export interface LedgerKey {
  readonly logId: string;
  readonly index: number;
  readonly part?: string;
}

const keyOf = (trx: TenantTransaction, { logId, index, part = '' }: LedgerKey) => ({
  tenantId: tenantOf(trx),
  logId,
  actionIndex: index,
  part,
});

/**
 * For an effect in PostgreSQL: true for one transaction only, in which the effect then happens. A second one waits until
 * the first has ended.
 */
export async function markActionDone(trx: TenantTransaction, key: LedgerKey): Promise<boolean> {
  return insert(trx, key, { doneAt: new Date() });
}

/** For an effect outside that must not be repeated: true for the first who claims it, in a transaction before it. */
export const claimAction = (trx: TenantTransaction, key: LedgerKey): Promise<boolean> => insert(trx, key, {});

/** For an effect outside that may be repeated while it is not known to have happened. */
export const isActionDone = async (trx: TenantTransaction, key: LedgerKey): Promise<boolean> =>
  (await AutomationStep.query(trx).findOne(keyOf(trx, key)).whereNotNull('doneAt')) !== undefined;

/** An action that was claimed before. */
export const readLedgerEntry = async (trx: TenantTransaction, key: LedgerKey): Promise<AutomationStep> =>
  AutomationStep.query(trx).findOne(keyOf(trx, key)).throwIfNotFound();

/** Counts an attempt at an action that several attempts are made at. Returns its number from 1, or undefined without a run. */
export async function countAttempt(
  trx: TenantTransaction,
  { logId, index }: Pick<LedgerKey, 'logId' | 'index'>,
): Promise<number | undefined> {
  const { rows } = await trx.raw<{ rows: { attempts: number }[] }>(
    `insert into automation_steps as s (tenant_id, log_id, action_index, attempts)
     select tenant_id, id, ?, 1 from automation_logs where tenant_id = ? and id = ?
     on conflict (tenant_id, log_id, action_index, part) do update set attempts = s.attempts + 1 returning s.attempts`,
    [index, tenantOf(trx), logId],
  );
  return rows[0]?.attempts;
}

/** The effect outside has happened. */
export async function finishAction(trx: TenantTransaction, key: LedgerKey): Promise<void> {
  const doneAt = new Date();
  await AutomationStep.query(trx)
    .insert({ ...keyOf(trx, key), doneAt })
    .onConflict(['tenantId', 'logId', 'actionIndex', 'part'])
    .merge({ doneAt });
}

async function insert(trx: TenantTransaction, key: LedgerKey, columns: { doneAt?: Date }): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `insert into automation_steps (tenant_id, log_id, action_index, part, done_at) values (?, ?, ?, ?, ?)
     on conflict do nothing returning log_id`,
    [tenantOf(trx), key.logId, key.index, key.part ?? '', columns.doneAt ?? null],
  );
  return rows.length > 0;
}
