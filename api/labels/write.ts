import { newId } from '../../db/ids.ts';
import { Label } from '../../db/models/label.ts';
import { QuoteLabel } from '../../db/models/quote-label.ts';
import { violatedConstraint } from '../../db/violated-constraint.ts';
import { markQuotesChanged } from '../../db/writes/mark-quotes-changed.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { changesOf } from '../../domain/diff.ts';
import { labelNameTaken, labelNotFound } from '../../domain/errors.ts';
import type { CreateLabel, UpdateLabel } from './schema.ts';

/** Creates a label. Throws `conflict` if the business has one of that name. */
export async function createLabel(trx: TenantTransaction, caller: Caller, body: CreateLabel): Promise<Label> {
  const { tenantId } = caller;
  const fields = { name: body.name, color: body.color.toLowerCase() };
  const label = await refusingTakenName(() => Label.query(trx).insertAndFetch({ id: newId(), tenantId, ...fields }));
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'label',
    entityId: label.id,
    metadata: fields,
  });
  return label;
}

/** Changes the name or colour of a label. */
export async function updateLabel(
  trx: TenantTransaction,
  caller: Caller,
  labelId: string,
  body: UpdateLabel,
): Promise<Label> {
  const label = await lockLabel(trx, caller, labelId);
  const changes = changesOf<Pick<Label, 'name' | 'color'>>(label, {
    name: body.name,
    color: body.color?.toLowerCase(),
  });
  if (!changes) return label;
  await refusingTakenName(() =>
    Label.query(trx).findOne({ tenantId: caller.tenantId, id: labelId }).patch(changes.after),
  );
  await recordAudit(trx, memberActor(caller), {
    action: 'update',
    entity: 'label',
    entityId: labelId,
    metadata: changes,
  });
  return Label.query(trx).findOne({ tenantId: caller.tenantId, id: labelId }).throwIfNotFound();
}

/** Removes a label from all quotes and deletes it. */
export async function deleteLabel(trx: TenantTransaction, caller: Caller, labelId: string): Promise<void> {
  const { tenantId } = caller;
  const { name, color } = await lockLabel(trx, caller, labelId);
  await markQuotesChanged(trx, QuoteLabel.query(trx).where({ tenantId, labelId }).select('quoteId'));
  const removed = await QuoteLabel.query(trx).delete().where({ tenantId, labelId });
  await Label.query(trx).delete().where({ tenantId, id: labelId });
  await recordAudit(trx, memberActor(caller), {
    action: 'delete',
    entity: 'label',
    entityId: labelId,
    metadata: { name, color, quotes: removed },
  });
}

async function lockLabel(trx: TenantTransaction, { tenantId }: Caller, labelId: string): Promise<Label> {
  const label = await Label.query(trx).findOne({ tenantId, id: labelId }).forUpdate();
  if (!label) throw labelNotFound();
  return label;
}

/** The unique index decides: a query beforehand would race with a concurrent request for the same name. */
async function refusingTakenName<T>(write: () => PromiseLike<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) === 'labels_name') throw labelNameTaken();
    throw error;
  }
}
