import { Client } from 'pg';
import { testStack } from '../stack.ts';

/**
 * Makes every write of one business to one table fail inside PostgreSQL, as a bug of ours would: with an error that no
 * rule of the service foresees. Other businesses notice nothing.
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
