import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import { Mail } from '../../db/models/mail.ts';
import { OneTimeToken } from '../../db/models/one-time-token.ts';
import { type Service, service } from '../api/service.ts';

interface Person {
  readonly tenantId: string;
  readonly userId: string;
}

/** A one-time token of a user, without a mail. */
export async function token({ tenantId, userId }: Person, fields: Partial<OneTimeToken>): Promise<string> {
  const { deps } = await service();
  const text = newToken();
  const row = { id: newId(), tenantId, userId, hash: hashToken(text), expiresAt: new Date(Date.now() + 60_000) };
  await deps.withTenant(tenantId, (trx) =>
    OneTimeToken.query(trx).insert({ ...row, kind: 'password_reset', ...fields }),
  );
  return text;
}

/** The token of the newest mail of that kind, which the worker would put into it. */
export const tokenMailed = ({ deps }: Service, { tenantId }: Pick<Person, 'tenantId'>, kind: Mail['kind']) =>
  deps.withTenant(tenantId, async (trx) => {
    const mail = await Mail.query(trx).where({ tenantId, kind }).orderBy('createdAt', 'desc').first().throwIfNotFound();
    return deps.secrets.open(mail.tokenSealed ?? '', { purpose: 'one_time_token', rowId: mail.id });
  });
