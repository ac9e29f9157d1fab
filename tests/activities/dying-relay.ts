import { Client as TemporalClient, Connection } from '@temporalio/client';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { startRelay } from '../../activities/relay.ts';
import { connect } from '../../db/database.ts';
import { createWithTenant } from '../../db/with-tenant.ts';

/** A relay that is killed at its worst point: Temporal took what it was told, PostgreSQL does not know yet. */

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
const knex = connect({ url: config.DATABASE_RELAY_URL, pool: 2, applicationName: 'dying-relay' });
const appKnex = connect({ url: config.DATABASE_URL, pool: 2, applicationName: 'dying-relay' });
const withTenant = createWithTenant(appKnex, () => undefined);
const log = createLog({ level: 'warn', name: 'dying-relay' });
startRelay({ knex, withTenant, databaseUrl: config.DATABASE_RELAY_URL, temporal, log });
