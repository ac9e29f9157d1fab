import { Client } from 'pg';
import { CommandError } from './commands/command.ts';

/**
 * Runs the work while no other process exports or deletes this tenant; throws a CommandError when one does. The lock
 * takes a connection of its own, and ends with its process, even one that is killed.
 */
export async function aloneWithTenant<T>(
  databaseUrl: string,
  { id, slug }: { readonly id: string; readonly slug: string },
  work: () => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'quoting-tenant-lock',
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ got: boolean }>(
      `select pg_try_advisory_lock(hashtext('quoting-tenant'), hashtext($1)) as got`,
      [id],
    );
    if (!rows[0]?.got) throw new CommandError(`Otro proceso está exportando o borrando ${slug}; espere a que termine.`);
    return await work();
  } finally {
    await client.end();
  }
}
