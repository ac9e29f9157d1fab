import type { Knex } from 'knex';
import { isId } from './ids.ts';
import { type PipelinedConnection, type RowsOfEach, sendTogether, type Statement } from './pipelined.ts';
import { endings } from './tenant-client.ts';
import { tenantShareOf } from './tenant-share.ts';
import { isStatementStale } from './unavailable.ts';

/** Several statements in one round trip: they leave together, and none waits for the answer of the one before. */

export type { RowsOfEach } from './pipelined.ts';

/** A statement that each connection parses and plans once. */
export type NamedStatement = Statement & Required<Pick<Statement, 'name'>>;

/**
 * Reads in a transaction of its own that begins and ends in the same round trip, under row-level security like
 * `withTenant`; all statements see one moment. Throws what the first failing statement threw.
 */
export type ReadAtOnce = (tenantId: string, statements: readonly NamedStatement[]) => Promise<RowsOfEach>;

export function createReadAtOnce(knex: Knex): ReadAtOnce {
  const share = tenantShareOf(knex);
  return async (tenantId, statements) => {
    // It stands in a text that takes no parameters, so it is checked to be nothing but an id.
    if (!isId(tenantId)) throw new Error('not a tenant id');
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('app.tenant_id', '${tenantId}', true)`;
    try {
      return await share(tenantId, () => inTransactionOfItsOwn(knex, begin, statements));
    } catch (error) {
      if (!isStatementStale(error)) throw error;
      // A reading may be repeated. Without names, for the next connection may be as old as this one was.
      const unnamed = statements.map(({ text, values }) => ({ text, values }));
      return share(tenantId, () => inTransactionOfItsOwn(knex, begin, unnamed));
    }
  };
}

async function inTransactionOfItsOwn(knex: Knex, begin: string, statements: readonly Statement[]): Promise<RowsOfEach> {
  // Knex types its client and connections as any.
  const connection = (await knex.client.acquireConnection()) as PipelinedConnection;
  try {
    // After a failure PostgreSQL refuses what follows and takes the commit for a rollback: the connection is clean.
    const rows = await sendTogether(connection, [begin, ...statements, 'COMMIT']);
    return rows.slice(1, -1);
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/** The same within a transaction that is open. What one statement wrote, the next one sees. */
export async function sendAtOnce(trx: Knex.Transaction, statements: readonly NamedStatement[]): Promise<RowsOfEach> {
  return sendTogether(await connectionOf(trx), statements);
}

/** The same, and the commit with them: nothing may be asked of the transaction, nor go wrong, after that. */
export async function sendLast(trx: Knex.Transaction, statements: readonly NamedStatement[]): Promise<RowsOfEach> {
  // After a failure PostgreSQL takes the commit for a rollback.
  const rows = await sendTogether(await connectionOf(trx), [...statements, 'COMMIT']);
  endings.set(trx, 'committed');
  return rows.slice(0, -1);
}

/**
 * Has the commit take these statements along, for whoever needs no answer of them: nothing in the transaction sees what
 * they write, and what they fail by, the transaction does.
 */
export function sendWithCommit(trx: Knex.Transaction, statements: readonly NamedStatement[]): void {
  if (trx.isCompleted() || endings.has(trx)) throw new Error('the transaction is over, or has its last statements');
  endings.set(trx, statements);
}

/**
 * Statements that write as one, which costs less than as many: they see one moment, and none what another wrote. A name
 * stands for the same statements each time.
 */
export function asOne(name: string, statements: readonly NamedStatement[]): NamedStatement {
  const texts = statements.map(({ text }) => text);
  const known = wholes.get(name);
  if (known && texts.some((text, index) => text !== known.texts[index]))
    throw new Error(`${name} are other statements`);
  const { text } = known ?? { text: whole(statements) };
  if (!known) wholes.set(name, { texts, text });
  return { name, text, values: statements.flatMap(({ values }) => values) };
}

const wholes = new Map<string, { readonly texts: readonly string[]; readonly text: string }>();

function whole(statements: readonly NamedStatement[]): string {
  let before = 0;
  const parts = statements.map(({ text, values }, index) => {
    const shifted = text.replace(/\$(\d+)/g, (_, place: string) => `$${Number(place) + before}`);
    before += values.length;
    return `part_${index} as (${shifted})`;
  });
  return `with ${parts.join(', ')} select`;
}

async function connectionOf(trx: Knex.Transaction): Promise<PipelinedConnection> {
  // Its connection may be another tenant's by now.
  if (trx.isCompleted() || endings.get(trx) === 'committed') throw new Error('the transaction is over');
  // Knex types its client and connections as any.
  return (await trx.client.acquireConnection()) as PipelinedConnection;
}
