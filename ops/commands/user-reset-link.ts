import { readLinksConfig } from '../../adapters/config.ts';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { createOneTimeToken } from '../../db/writes/create-one-time-token.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { accountLink } from '../../domain/account-links.ts';
import { CommandError, print, UsageError } from './command.ts';
import { operatorOf, withUser } from './users.ts';

/** Prints a link with which a user sets a new password; it works once, for an hour. */
export async function run([email, ...more]: readonly string[]): Promise<void> {
  if (!email || more.length > 0) throw new UsageError();
  const { PUBLIC_URL } = readLinksConfig();
  const token = newToken();
  await withUser(email, async (trx, user) => {
    if (!user.isActive) throw new CommandError(`La cuenta ${user.email} está desactivada.`);
    await createOneTimeToken(trx, { userId: user.id, kind: 'password_reset', tokenHash: hashToken(token) });
    await recordAudit(trx, operatorOf(user.tenantId), {
      action: 'reset_link',
      entity: 'collaborator',
      entityId: user.id,
    });
  });
  print(accountLink(PUBLIC_URL, 'password_reset', token));
}
