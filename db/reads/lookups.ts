import type { Knex } from 'knex';
import { foldEmailAddress } from '../../domain/email-address.ts';

/**
 * Look-ups before the tenant is known. They are SECURITY DEFINER functions of the database that return ids only;
 * everything after them runs in `withTenant`.
 */
export interface Lookups {
  /** Ignores the address's case and surrounding spaces. */
  userByEmail(email: string): Promise<{ tenantId: string; userId: string } | undefined>;
  /** By the key's SHA-256; a revoked key is not found. */
  apiKey(hash: string): Promise<{ tenantId: string; apiKeyId: string } | undefined>;
  /** By the token's SHA-256; `useOneTimeToken` checks whether it is still valid. */
  oneTimeToken(hash: string): Promise<{ tenantId: string; tokenId: string } | undefined>;
  /** By the public token's SHA-256; `findPortalQuote` checks whether its page is open. */
  quoteByToken(hash: string): Promise<{ tenantId: string; quoteId: string } | undefined>;
}

export const createLookups = (knex: Knex): Lookups => ({
  async userByEmail(email) {
    const { rows } = await knex.raw<{ rows: { tenantId: string; userId: string }[] }>(
      'select tenant_id as "tenantId", user_id as "userId" from find_user_by_email(?)',
      [foldEmailAddress(email)],
    );
    return rows[0];
  },
  async apiKey(hash) {
    const { rows } = await knex.raw<{ rows: { tenantId: string; apiKeyId: string }[] }>(
      'select tenant_id as "tenantId", api_key_id as "apiKeyId" from find_api_key(?)',
      [hash],
    );
    return rows[0];
  },
  async oneTimeToken(hash) {
    const { rows } = await knex.raw<{ rows: { tenantId: string; tokenId: string }[] }>(
      'select tenant_id as "tenantId", token_id as "tokenId" from find_one_time_token(?)',
      [hash],
    );
    return rows[0];
  },
  async quoteByToken(hash) {
    const { rows } = await knex.raw<{ rows: { tenantId: string; quoteId: string }[] }>(
      'select tenant_id as "tenantId", quote_id as "quoteId" from find_quote_by_token(?)',
      [hash],
    );
    return rows[0];
  },
});
