import { Client as TemporalClient, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { Pool } from 'pg';
import { readMigrateConfig, readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { clientOptions } from '../../adapters/temporal/connection.ts';
import { type OutboxDispatcher, startOutboxDispatcher } from '../../worker/outbox-dispatcher.ts';
import { connect } from '../../db/database.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { createWithTenant } from '../../db/with-tenant.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { signals } from '../../workflows/contract.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { copySentQuotes } from '../servers/copied-quotes.ts';
import { closeAfterTests, needs, testStack } from '../stack.ts';

needs('temporal');

/** What tests of the dispatcher ask PostgreSQL and Temporal directly. */

export interface WatchedQuote {
  readonly id: string;
  readonly workflowId: string;
}

let owners: Pool | undefined;
closeAfterTests(async () => owners?.end());

/** Rows of the shared database over all tenants, as the owner of its tables. */
export async function rows(sql: string, ...values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const { env } = await testStack();
  owners ??= new Pool({ connectionString: readMigrateConfig(env).DATABASE_ADMIN_URL, max: 2 });
  return (await owners.query<Record<string, unknown>>(sql, [...values])).rows;
}

export interface RunningDispatcher extends OutboxDispatcher {
  readonly temporal: TemporalClient;
}

/** A dispatcher in this process; another address than the shared server's stands for a server that is away. */
export async function dispatcher({
  address,
  namespace,
  interceptors = [],
}: {
  address?: string;
  namespace?: string;
  /** Sees the calls to Temporal. */
  interceptors?: WorkflowClientInterceptor[];
} = {}): Promise<RunningDispatcher> {
  const config = readWorkerConfig((await testStack()).env);
  const databaseUrl = config.DATABASE_DISPATCHER_URL;
  const knex = connectAsDispatcher({ url: databaseUrl, pool: 2, applicationName: 'dispatcher-test' });
  const TEMPORAL_ADDRESS = address ?? config.TEMPORAL_ADDRESS;
  const appKnex = connect({ url: config.DATABASE_URL, pool: 3, applicationName: 'dispatcher-test' });
  const withTenant = createWithTenant(appKnex, () => undefined);
  const connection = Connection.lazy(clientOptions({ ...config, TEMPORAL_ADDRESS }));
  const temporal = new TemporalClient({
    connection,
    namespace: namespace ?? config.TEMPORAL_NAMESPACE,
    interceptors: { workflow: interceptors },
  });
  const log = createLog({ level: 'silent', name: 'dispatcher' });
  const running = startOutboxDispatcher({ knex, withTenant, databaseUrl, temporal, log });
  return {
    temporal,
    wakeForDeliveries: running.wakeForDeliveries,
    async stop() {
      await running.stop();
      await connection.close();
      await knex.destroy();
      await appKnex.destroy();
    },
  };
}

export async function watchedQuote(business: build.Business, clientId?: string): Promise<WatchedQuote> {
  const { deps } = await service();
  const tenant = await deps.withTenant(business.tenantId, (trx) =>
    Tenant.query(trx).findById(business.tenantId).throwIfNotFound(),
  );
  const quote = await build.quote(business.owner, clientId === undefined ? {} : { clientId });
  return { id: quote.id, workflowId: `quote.${tenant.slug}.COT-${quote.quoteNumber}` };
}

export interface OutboxRow {
  readonly id: string;
  readonly failures: number;
  readonly isDispatched: boolean;
}

/** The events of a quote in the outbox, in their order. */
export async function outboxOf(quoteId: string): Promise<OutboxRow[]> {
  const found = await rows(
    'select id, dispatch_failures, dispatched_at from outbox_events where quote_id = $1 order by sequence',
    quoteId,
  );
  return found.map((row) => ({
    id: String(row['id']),
    failures: Number(row['dispatch_failures']),
    isDispatched: row['dispatched_at'] !== null,
  }));
}

/** Ids of the events that the quote's lifecycle was signalled with, one for each time. */
export async function signalledTo(temporal: TemporalClient, { workflowId }: WatchedQuote): Promise<string[]> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    if (signal?.signalName !== signals.quoteEvents) return [];
    const [payload] = signal.input?.payloads ?? [];
    // As the dispatcher wrote it: QuoteEventsInput.
    const input = JSON.parse(Buffer.from(payload?.data ?? []).toString()) as { events: { id: string }[] };
    return input.events.map(({ id }) => id);
  });
}

/** SENT quotes of the business, without a request and an event for each: copies of one that was made as usual. */
export async function manySentQuotes(
  business: build.Business,
  count: number,
): Promise<readonly (WatchedQuote & { readonly quoteNumber: number })[]> {
  const { id, workflowId } = await watchedQuote(business);
  const copies = await copySentQuotes(rows, id, count);
  return copies.map((copy) => ({ ...copy, workflowId: workflowId.replace(/COT-\d+$/, `COT-${copy.quoteNumber}`) }));
}
