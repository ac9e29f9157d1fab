import { newId } from '../../db/ids.ts';
import { User } from '../../db/models/user.ts';
import { violatedConstraint } from '../../db/violated-constraint.ts';
import { countMail } from '../../db/writes/count-mail.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { emailTaken } from '../../domain/errors.ts';
import { mailQuotaOf } from '../../domain/mail-quota.ts';
import { isAddressTaken } from '../auth/is-address-taken.ts';
import { mailOneTimeLink } from '../auth/one-time-link.ts';
import type { Deps } from '../deps.ts';
import type { InviteCollaborator } from './schema.ts';

/** Creates a collaborator without a password and queues the invitation. Throws a 409 when the e-mail is taken. */
export async function inviteCollaborator(
  deps: Pick<Deps, 'config' | 'secrets' | 'lookups' | 'withTenant'>,
  trx: TenantTransaction,
  caller: Caller,
  { email, name }: InviteCollaborator,
): Promise<User> {
  const { tenantId, requestId } = caller;
  if (await isAddressTaken(deps, email)) throw emailTaken();
  await countMail(trx, mailQuotaOf(deps.config));
  const user = await insert(trx, { tenantId, email, name });
  await mailOneTimeLink(deps, trx, { kind: 'invitation', userId: user.id, requestId });
  await recordAudit(trx, memberActor(caller), {
    action: 'invite',
    entity: 'collaborator',
    entityId: user.id,
    metadata: { email, name, role: user.role },
  });
  return user;
}

async function insert(trx: TenantTransaction, fields: { tenantId: string; email: string; name: string }) {
  try {
    return await User.query(trx).insertAndFetch({
      id: newId(),
      ...fields,
      role: 'COLLABORATOR',
      invitedAt: new Date(),
      emailVerifiedAt: null,
    });
  } catch (error) {
    // Invitations do not reserve an address, but a business invites it once.
    if (violatedConstraint(error) === 'users_email_of_tenant') throw emailTaken();
    throw error;
  }
}
