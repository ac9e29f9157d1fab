import { newId } from '../../db/ids.ts';
import { Automation } from '../../db/models/automation.ts';
import { AutomationLog } from '../../db/models/automation-log.ts';
import { Label } from '../../db/models/label.ts';
import { assertBelowLimit } from '../../db/writes/assert-below-limit.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { AutomationAction } from '../../domain/automation.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { assertVerified } from '../../domain/verified.ts';
import { labelNotFound } from '../../domain/errors.ts';
import { actionsOf, conditionsOf } from './present.ts';
import { lockAutomation } from './queries.ts';
import type { CreateAutomation, UpdateAutomation } from './schema.ts';

/** Creates an automation with its audit entry. Throws a 409 beyond the limit. */
export async function createAutomation(
  trx: TenantTransaction,
  caller: Caller,
  body: CreateAutomation,
): Promise<Automation> {
  const { tenantId } = caller;
  const { name, trigger, isActive, conditions, actions, delayMinutes } = body;
  assertMayMail(caller, actions);
  await assertLabelsExist(trx, tenantId, actions);
  await assertBelowLimit(trx, 'automations');
  const automation = await Automation.query(trx).insertAndFetch({
    id: newId(),
    tenantId,
    name,
    trigger,
    isActive,
    conditions: JSON.stringify(conditions),
    actions: JSON.stringify(actions),
    delayMinutes,
  });
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'automation',
    entityId: automation.id,
    metadata: { name, trigger, isActive, delayMinutes, conditions, actions: actions.map(withoutHeaders) },
  });
  return automation;
}

/** Throws a 403 for an automation that mails, until the business has confirmed its address. */
function assertMayMail(caller: Caller, actions: readonly AutomationAction[]): void {
  if (actions.some(({ type }) => type === 'send_email')) assertVerified(caller);
}

/** Changes the given members. Automation runs that have started keep their conditions and actions. */
export async function updateAutomation(
  trx: TenantTransaction,
  caller: Caller,
  id: string,
  body: UpdateAutomation,
): Promise<Automation> {
  const { tenantId } = caller;
  const { name, trigger, isActive, conditions, actions, delayMinutes } = await lockAutomation(trx, tenantId, id);
  assertMayMail(caller, body.actions ?? []);
  if (body.actions) await assertLabelsExist(trx, tenantId, body.actions);
  const changes = changesOf(
    { name, trigger, isActive, conditions, actions, delayMinutes },
    {
      name: body.name,
      trigger: body.trigger,
      isActive: body.isActive,
      conditions: body.conditions && JSON.stringify(body.conditions),
      actions: body.actions && JSON.stringify(body.actions),
      delayMinutes: body.delayMinutes,
    },
  );
  if (changes) {
    await Automation.query(trx)
      .findOne({ tenantId, id })
      .patch({ ...changes.after, updatedAt: new Date() });
    await recordAudit(trx, memberActor(caller), {
      action: 'update',
      entity: 'automation',
      entityId: id,
      metadata: { before: readable(changes.before), after: readable(changes.after) },
    });
  }
  return lockAutomation(trx, tenantId, id);
}

/** Deletes an automation and its runs permanently. */
export async function deleteAutomation(trx: TenantTransaction, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller;
  const { name, trigger } = await lockAutomation(trx, tenantId, id);
  const logs = await AutomationLog.query(trx).delete().where({ tenantId, automationId: id });
  await Automation.query(trx).delete().where({ tenantId, id });
  await recordAudit(trx, memberActor(caller), {
    action: 'delete',
    entity: 'automation',
    entityId: id,
    metadata: { name, trigger, logs },
  });
}

/** Throws a 404 for labels of other businesses. */
async function assertLabelsExist(
  trx: TenantTransaction,
  tenantId: string,
  actions: readonly AutomationAction[],
): Promise<void> {
  const ids = new Set(actions.flatMap((action) => (action.type === 'add_label' ? action.labelId : [])));
  if (ids.size === 0) return;
  const found = await Label.query(trx)
    .where({ tenantId })
    .whereIn('id', [...ids])
    .resultSize();
  if (found < ids.size) throw labelNotFound();
}

const readable = ({ conditions, actions, ...rest }: Partial<Pick<Automation, 'conditions' | 'actions'>>) => ({
  ...rest,
  ...(conditions !== undefined && { conditions: conditionsOf({ conditions }) }),
  ...(actions !== undefined && { actions: actionsOf({ actions }).map(withoutHeaders) }),
});

/** Headers of a fire_webhook often contain credentials: the audit log gets only their names. */
const withoutHeaders = (action: AutomationAction): object =>
  action.type === 'fire_webhook' && action.headers ? { ...action, headers: Object.keys(action.headers) } : action;
