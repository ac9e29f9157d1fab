import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import { requestAccountMail } from '../../db/writes/request-account-mail.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { AccountMailKind } from '../../domain/account-mail.ts';
import type { Deps } from '../deps.ts';

/** Queues a mail with a new one-time link; it is sent after the transaction committed. */
export async function mailOneTimeLink(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  { kind, userId, requestId }: { kind: AccountMailKind; userId: string; requestId: string },
): Promise<void> {
  const token = newToken();
  const mailId = newId();
  await requestAccountMail(trx, {
    mailId,
    kind,
    userId,
    tokenHash: hashToken(token),
    tokenSealed: secrets.seal(token, { purpose: 'one_time_token', rowId: mailId }),
    requestId,
  });
}
