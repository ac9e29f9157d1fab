import { createInterface } from 'node:readline/promises';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { readTenantDeletionConfig } from '../../adapters/config.ts';
import { createStorage } from '../../adapters/storage.ts';
import { clientOptions, namespaceOptions } from '../../adapters/temporal/connection.ts';
import { connect } from '../../db/database.ts';
import { findTenant } from '../../db/reads/tenants.ts';
import { findDeletion } from '../../db/writes/erase-tenant.ts';
import { deleteTenant } from '../tenant-deletion.ts';
import { aloneWithTenant } from '../tenant-lock.ts';
import { CommandError, print, UsageError } from './command.ts';
import { withTenants } from './tenants.ts';

const CONFIRM = '--confirm=';
/** A batch of rows with many references takes its time. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * Deletes a business with its executions, rows and files, and prints how many of each. The operator types the slug, or
 * gives it with --confirm. A deletion that was interrupted is finished by repeating the command.
 */
export async function run(words: readonly string[]): Promise<void> {
  const [slugOrId, ...more] = words.filter((word) => !word.startsWith(CONFIRM));
  const [confirmation, ...others] = words.filter((word) => word.startsWith(CONFIRM));
  if (!slugOrId || more.length > 0 || others.length > 0) throw new UsageError();
  const config = readTenantDeletionConfig();
  await withTenants(async ({ knex, withTenant }) => {
    const owner = connect({
      url: config.DATABASE_ADMIN_URL,
      pool: 1,
      applicationName: 'quoting-tenant-delete',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    const connection = Connection.lazy(clientOptions(config));
    const temporal = new TemporalClient({ connection, ...namespaceOptions(config) });
    const storage = createStorage(config);
    try {
      const find = async () => {
        const tenant = await findTenant(knex, slugOrId);
        const found = tenant ?? (await findDeletion(owner, slugOrId));
        if (!found) throw new CommandError(`No hay un negocio con el slug o id ${slugOrId}.`);
        return { id: found.id, slug: found.slug, isGone: tenant === undefined };
      };
      const { slug, ...tenant } = await find();
      await confirm(slug, confirmation?.slice(CONFIRM.length));
      const { rows, objects, executions } = await aloneWithTenant(
        config.DATABASE_DISPATCHER_URL,
        { ...tenant, slug },
        async () =>
          // Another process may have deleted it before this one got the lock.
          deleteTenant({ owner, withTenant, temporal, storage }, await find()),
      );
      print([`${slug}: borrado`, `filas ${rows}`, `archivos ${objects}`, `ejecuciones ${executions}`].join('\t'));
    } finally {
      storage.close();
      await connection.close();
      await owner.destroy();
    }
  });
}

async function confirm(slug: string, given: string | undefined): Promise<void> {
  if (given === undefined && !process.stdin.isTTY) throw new UsageError(`falta ${CONFIRM}${slug}`);
  const typed = given ?? (await ask(`Se borrará todo lo de ${slug}, sin vuelta atrás. Escriba ${slug} para seguir: `));
  if (typed.trim() !== slug) throw new CommandError('El slug no coincide; no se borró nada.');
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
