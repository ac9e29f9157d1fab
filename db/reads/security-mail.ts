import { isSecurityMail, type SecurityMail, type SecurityMailDetails } from '../../domain/security-mail.ts';
import { Mail } from '../models/mail.ts';
import { Tenant } from '../models/tenant.ts';
import { User } from '../models/user.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** The mail; undefined when it is none about security, does not exist, was sent or was given up. */
export async function readSecurityMail(trx: TenantTransaction, mailId: string): Promise<SecurityMail | undefined> {
  const tenantId = tenantOf(trx);
  const mail = await Mail.query(trx).findOne({ tenantId, id: mailId, status: 'PENDING' });
  if (!mail?.userId || mail.details === null || !isSecurityMail(mail.kind)) return undefined;
  const user = await User.query(trx).findOne({ tenantId, id: mail.userId }).throwIfNotFound();
  const { companyName, locale, timeZone } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  return {
    // Written by requestSecurityMail.
    ...(JSON.parse(mail.details) as SecurityMailDetails),
    kind: mail.kind,
    businessName: companyName,
    locale,
    timeZone,
    user: { name: user.name, email: user.email },
    at: mail.createdAt.toISOString(),
  };
}
