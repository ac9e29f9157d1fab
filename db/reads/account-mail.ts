import { type AccountMail, isAccountMail } from '../../domain/account-mail.ts';
import { Mail } from '../models/mail.ts';
import { OneTimeToken } from '../models/one-time-token.ts';
import { Tenant } from '../models/tenant.ts';
import { User } from '../models/user.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** A mail to be sent, with its token still encrypted. */
export interface WaitingMail extends AccountMail {
  readonly tokenSealed: string;
  /** Whether its link still works; a mail with a dead link is not sent. */
  readonly isLinkAlive: boolean;
}

/** The mail; undefined when it is not about an account, does not exist, was sent or was given up. */
export async function readWaitingMail(trx: TenantTransaction, mailId: string): Promise<WaitingMail | undefined> {
  const tenantId = tenantOf(trx);
  const mail = await Mail.query(trx).findOne({ tenantId, id: mailId, status: 'PENDING' });
  if (!mail?.tokenSealed || !mail.userId || !mail.tokenId || !isAccountMail(mail.kind)) return undefined;
  const user = await User.query(trx).findOne({ tenantId, id: mail.userId }).throwIfNotFound();
  const token = await OneTimeToken.query(trx).findOne({ tenantId, id: mail.tokenId }).throwIfNotFound();
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  return {
    kind: mail.kind,
    businessName: tenant.companyName,
    locale: tenant.locale,
    user: { name: user.name, email: user.email },
    tokenSealed: mail.tokenSealed,
    isLinkAlive: user.isActive && token.usedAt === null && token.expiresAt > new Date(),
  };
}
