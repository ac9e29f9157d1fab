import { readLinksConfig } from '../../adapters/config.ts';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import { createOneTimeToken } from '../../db/writes/create-one-time-token.ts';
import { registerTenant } from '../../db/writes/register-tenant.ts';
import { accountLink } from '../../domain/account-links.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { foldEmailAddress } from '../../domain/email-address.ts';
import { ServiceError } from '../../domain/errors.ts';
import { PLANS } from '../../domain/plans.ts';
import { CommandError, print, UsageError } from './command.ts';
import { withTenants } from './tenants.ts';

/** One address, as a person types it; the mail that the owner opens proves it. */
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;

/** Creates a business with its owner, and prints the link with which the owner chooses a password. */
export async function run([email, businessName, wanted = 'FREE', ...more]: readonly string[]): Promise<void> {
  if (!email || !businessName || more.length > 0) throw new UsageError();
  const plan = PLANS.find((name) => name === wanted.toUpperCase());
  if (!plan) throw new UsageError(`no hay un plan ${wanted}`);
  const name = cleanLine(businessName);
  if (!EMAIL.test(email) || email.length > 254) throw new UsageError(`«${email}» no es un correo`);
  if (name.length < 2 || name.length > 100) throw new UsageError('el nombre del negocio tiene de 2 a 100 caracteres');
  const { PUBLIC_URL } = readLinksConfig();
  const token = newToken();
  const tenantId = newId();
  await withTenants(async ({ withTenant }) => {
    try {
      await withTenant(tenantId, async (trx) => {
        const owner = { name: email.split('@')[0] ?? email, email: foldEmailAddress(email), passwordHash: null };
        const by = { kind: 'operator', requestId: null } as const;
        const user = await registerTenant(trx, { tenantId, businessName: name, plan, owner, isVerified: true, by });
        await createOneTimeToken(trx, { userId: user.id, kind: 'invitation', tokenHash: hashToken(token) });
      });
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'conflict') throw new CommandError(`${error.message}.`);
      throw error;
    }
  });
  print(accountLink(PUBLIC_URL, 'invitation', token));
}
