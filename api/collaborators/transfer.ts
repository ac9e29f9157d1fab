import { Quote } from '../../db/models/quote.ts';
import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { collaboratorNotFound, invalidInput } from '../../domain/errors.ts';

/** Transfers all quotes of one user to another active user. Returns their number. */
export async function transferQuotes(
  trx: TenantTransaction,
  caller: Caller,
  { fromUserId, toUserId }: { fromUserId: string; toUserId: string },
): Promise<number> {
  const { tenantId } = caller;
  if (toUserId === fromUserId) throw invalidInput([{ path: 'toUserId', message: 'debe ser otra persona' }]);
  const from = await User.query(trx).findOne({ tenantId, id: fromUserId });
  // The lock prevents a concurrent deactivation of the new owner.
  const to = await User.query(trx).findOne({ tenantId, id: toUserId, isActive: true }).forShare();
  if (!from || !to) throw collaboratorNotFound();

  const transferred = await Quote.query(trx).where({ tenantId, userId: fromUserId }).patch({ userId: toUserId });
  await recordAudit(trx, memberActor(caller), {
    action: 'transfer',
    entity: 'collaborator',
    entityId: fromUserId,
    metadata: { toUserId, transferred },
  });
  return transferred;
}
