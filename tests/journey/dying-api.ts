import { createServer } from 'node:http';
import { readApiConfig } from '../../adapters/config.ts';
import { reportReady } from '../../adapters/process.ts';
import { createApp } from '../../api/app.ts';
import { compose } from '../../api/compose.ts';
import { connect } from '../../db/database.ts';
import { createWithTenant } from '../../db/with-tenant.ts';

/**
 * The API, killed at its worst point: the first change is committed, and nobody was told of it, neither the dispatcher nor
 * the caller.
 */

const config = readApiConfig();
const { deps } = compose(config);
const knex = connect({ url: config.DATABASE_URL, applicationName: 'dying-api' });
// The nudge is the first thing that happens after a commit.
const withTenant = createWithTenant(knex, () => process.kill(process.pid, 'SIGKILL'));

const handle = createApp({ ...deps, withTenant }).callback();
createServer((request, response) => void handle(request, response)).listen(config.PORT, config.HOST, reportReady);
