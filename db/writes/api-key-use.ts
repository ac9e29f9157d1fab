import sql from 'sql-template-tag';
import { named, type NamedStatement } from '../pipeline.ts';
import type { KeyRef, StandingKey } from '../reads/members.ts';

/** A use is noted at most this often: a write would cost more than the rest of a small request. */
const STEP_MS = 60_000;

const lastBefore = (): Date => new Date(Date.now() - STEP_MS);

/** Whether a use of a key now is noted. */
export const isKeyUseWorthNoting = ({ lastUsedAt }: Pick<StandingKey, 'lastUsedAt'>): boolean =>
  lastUsedAt === null || lastUsedAt < lastBefore();

/** The statement that notes that an API key is used, and from where. Of concurrent uses one is noted. */
export const apiKeyUse = ({ tenantId, apiKeyId }: KeyRef, ip: string): NamedStatement =>
  named(
    'note-api-key-use',
    sql`update api_keys set last_used_at = ${new Date()}, last_used_ip = ${ip}
      where tenant_id = ${tenantId} and id = ${apiKeyId}
        and (last_used_at is null or last_used_at < ${lastBefore()})`,
  );
