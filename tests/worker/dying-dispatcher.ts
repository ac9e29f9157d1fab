import { Client as TemporalClient, Connection } from '@temporalio/client';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { startOutboxDispatcher } from '../../worker/outbox-dispatcher.ts';
import { connect } from '../../db/database.ts';
import { connectAsDispatcher } from '../../db/dispatcher-db.ts';
import { createWithTenant } from '../../db/with-tenant.ts';

/** A dispatcher that is killed at its worst point: Temporal took the call, and PostgreSQL does not know yet. */

const config = readWorkerConfig();
/** The workflow whose first start, or signal with start, is the last thing it does. */
const diesAt = process.env['DIES_AT'] ?? 'quoteLifecycle';
const connection = Connection.lazy({ address: config.TEMPORAL_ADDRESS });
const temporal = new TemporalClient({
  connection,
  namespace: config.TEMPORAL_NAMESPACE,
  interceptors: {
    workflow: [
      {
        async signalWithStart(input, next) {
          const result = await next(input);
          if (diesAt === input.workflowType) process.kill(process.pid, 'SIGKILL');
          return result;
        },
        async startWithDetails(input, next) {
          const result = await next(input);
          if (diesAt === input.workflowType) process.kill(process.pid, 'SIGKILL');
          return result;
        },
      },
    ],
  },
});
const knex = connectAsDispatcher({ url: config.DATABASE_DISPATCHER_URL, pool: 2, applicationName: 'dying-dispatcher' });
const appKnex = connect({ url: config.DATABASE_URL, pool: 2, applicationName: 'dying-dispatcher' });
const withTenant = createWithTenant(appKnex, () => undefined);
const log = createLog({ level: 'warn', name: 'dying-dispatcher' });
startOutboxDispatcher({ knex, withTenant, databaseUrl: config.DATABASE_DISPATCHER_URL, temporal, log });
