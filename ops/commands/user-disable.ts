import { User } from '../../db/models/user.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { revokeSessionsOf } from '../../db/writes/sessions.ts';
import { print, UsageError } from './command.ts';
import { operatorOf, withUser } from './users.ts';

/** Deactivates a user, also the last owner of a business: sessions and keys end at once. */
export async function run([email, ...more]: readonly string[]): Promise<void> {
  if (!email || more.length > 0) throw new UsageError();
  await withUser(email, async (trx, { tenantId, id, isActive, email: stored }) => {
    if (isActive) {
      await User.query(trx).findOne({ tenantId, id }).patch({ isActive: false, updatedAt: new Date() });
      await revokeSessionsOf(trx, { tenantId, userId: id });
      const metadata = { before: { isActive: true }, after: { isActive: false } };
      await recordAudit(trx, operatorOf(tenantId), {
        action: 'update',
        entity: 'collaborator',
        entityId: id,
        metadata,
      });
    }
    print(`${stored}: ${isActive ? 'desactivada' : 'ya estaba desactivada'}`);
  });
}
