import type { SecurityMailDetails, SecurityMailKind } from '../../domain/security-mail.ts';
import { newId } from '../ids.ts';
import { Mail } from '../models/mail.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';
import { recordEvent } from './record-event.ts';

/** A mail about the security of a user's account, handed to the outbox in the transaction of the change. */
export async function requestSecurityMail(
  trx: TenantTransaction,
  {
    kind,
    userId,
    requestId,
    ...details
  }: SecurityMailDetails & { kind: SecurityMailKind; userId: string; requestId: string | null },
): Promise<void> {
  const id = newId();
  await Mail.query(trx).insert({ id, tenantId: tenantOf(trx), kind, userId, details: JSON.stringify(details) });
  // The event's id is the mail's: the dispatcher needs nothing else.
  await recordEvent(trx, { id, type: 'mail.requested', data: { mailId: id }, requestId });
}
