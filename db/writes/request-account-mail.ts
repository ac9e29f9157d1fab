import { type AccountMailKind, LINK_LIFE_MS } from '../../domain/account-mail.ts';
import { newId } from '../ids.ts';
import { Mail } from '../models/mail.ts';
import { OneTimeToken } from '../models/one-time-token.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { recordEvent } from './record-event.ts';

export interface AccountMailRequest {
  readonly mailId: string;
  readonly kind: AccountMailKind;
  readonly userId: string;
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  /** The token, encrypted with the mail's id as context. */
  readonly tokenSealed: string;
  readonly requestId: string | null;
}

/**
 * A one-time token and the mail that carries it, handed to the outbox in the same transaction. The user's older links of
 * that kind end: only the newest mail's works.
 */
export async function requestAccountMail(trx: TenantTransaction, request: AccountMailRequest): Promise<void> {
  const { mailId, kind, userId } = request;
  const tenantId = tenantOf(trx);
  const tokenId = newId();
  await OneTimeToken.query(trx).where({ tenantId, userId, kind }).whereNull('usedAt').patch({ usedAt: new Date() });
  await OneTimeToken.query(trx).insert({
    id: tokenId,
    tenantId,
    userId,
    kind,
    hash: request.tokenHash,
    expiresAt: new Date(Date.now() + LINK_LIFE_MS[kind]),
  });
  await Mail.query(trx).insert({ id: mailId, tenantId, kind, userId, tokenId, tokenSealed: request.tokenSealed });
  // The event's id is the mail's: the dispatcher needs nothing else.
  await recordEvent(trx, { id: mailId, type: 'mail.requested', data: { mailId }, requestId: request.requestId });
}
