import type { AccountMailKind } from '../../domain/account-mail.ts';
import { Mail } from '../models/mail.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { createOneTimeToken } from './create-one-time-token.ts';
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
  const tokenId = await createOneTimeToken(trx, { userId, kind, tokenHash: request.tokenHash });
  await Mail.query(trx).insert({ id: mailId, tenantId, kind, userId, tokenId, tokenSealed: request.tokenSealed });
  // The event's id is the mail's: the dispatcher needs nothing else.
  await recordEvent(trx, { id: mailId, type: 'mail.requested', data: { mailId }, requestId: request.requestId });
}
