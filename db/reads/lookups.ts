import type { Knex } from 'knex';
import { foldEmailAddress } from '../../domain/email-address.ts';
import type { KeyRef } from './members.ts';

/**
 * Look-ups before the tenant is known. They are SECURITY DEFINER functions of the database that return ids only;
 * everything after them runs in `withTenant`.
 */
export interface Lookups {
  /** Ignores the address's case and surrounding spaces. */
  userByEmail(email: string): Promise<{ tenantId: string; userId: string } | undefined>;
  /** By the key's SHA-256; a revoked key is not found. */
  apiKey(hash: string): Promise<KeyRef | undefined>;
  /** By the token's SHA-256; `useOneTimeToken` checks whether it is still valid. */
  oneTimeToken(hash: string): Promise<{ tenantId: string; tokenId: string } | undefined>;
  /** By the public token's SHA-256; `findPortalQuote` checks whether its page is open. */
  quoteByToken(hash: string): Promise<{ tenantId: string; quoteId: string } | undefined>;
}

export const createLookups = (knex: Knex): Lookups => {
  /** The one row that a function of the database finds. */
  const found = async <Found>(columns: string, lookUp: string, value: string): Promise<Found | undefined> => {
    const { rows } = await knex.raw<{ rows: Found[] }>(`select ${columns} from ${lookUp}(?)`, [value]);
    return rows[0];
  };
  return {
    userByEmail: (email) =>
      found('tenant_id as "tenantId", user_id as "userId"', 'find_user_by_email', foldEmailAddress(email)),
    apiKey: (hash) => found('tenant_id as "tenantId", api_key_id as "apiKeyId"', 'find_api_key', hash),
    oneTimeToken: (hash) => found('tenant_id as "tenantId", token_id as "tokenId"', 'find_one_time_token', hash),
    quoteByToken: (hash) => found('tenant_id as "tenantId", quote_id as "quoteId"', 'find_quote_by_token', hash),
  };
};
