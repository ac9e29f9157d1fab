import { Client } from 'pg';
import { testStack } from '../stack.ts';

/**
 * Makes all writes of one business to one table fail in PostgreSQL with an unexpected error, like a bug of the service.
 * Does not affect other businesses.
 */
export async function brokenFor(
  { tenantId }: { tenantId: string },
  table: 'clients' | 'audit_logs' | 'outbox_events',
  message: string,
): Promise<{ repair(): Promise<void> }> {
  const { env } = await testStack();
  const owner = new Client({ connectionString: env['DATABASE_ADMIN_URL'] });
  await owner.connect();
  const name = `broken_${tenantId}`;
  await owner.query(`create function ${name}() returns trigger language plpgsql as
    $$ begin raise exception ${owner.escapeLiteral(message)}; end $$`);
  await owner.query(`create trigger ${name} before insert on ${table}
    for each row when (new.tenant_id = '${tenantId}') execute function ${name}()`);
  return {
    async repair() {
      await owner.query(`drop function ${name}() cascade`);
      await owner.end();
    },
  };
}
