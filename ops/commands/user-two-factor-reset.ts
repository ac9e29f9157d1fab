import { recordAudit } from '../../db/writes/record-audit.ts';
import { requestSecurityMail } from '../../db/writes/request-security-mail.ts';
import { readSecondFactor, removeFactor } from '../../db/writes/second-factor.ts';
import { print, UsageError } from './command.ts';
import { operatorOf, withUser } from './users.ts';

/** Turns a user's second factor off, for one who has lost it; the user is mailed. */
export async function run([email, ...more]: readonly string[]): Promise<void> {
  if (!email || more.length > 0) throw new UsageError();
  await withUser(email, async (trx, { tenantId, id: userId, email: stored }) => {
    const { enabled } = await readSecondFactor(trx, userId);
    await removeFactor(trx, userId);
    if (enabled) {
      const entry = { action: 'two_factor_disabled', entity: 'collaborator', entityId: userId } as const;
      await recordAudit(trx, operatorOf(tenantId), entry);
      await requestSecurityMail(trx, { kind: 'two_factor_disabled', userId, requestId: null });
    }
    print(`${stored}: ${enabled ? 'sin verificación en dos pasos' : 'no tenía verificación en dos pasos'}`);
  });
}
