import { createServer } from 'node:http';
import { readApiConfig } from '../../adapters/config.ts';
import { reportReady } from '../../adapters/process.ts';
import { createApp } from '../../api/app.ts';
import { compose } from '../../api/compose.ts';
import { connect } from '../../db/database.ts';
import { createWithPipeline } from '../../db/pipeline.ts';
import { createWithTenant } from '../../db/with-tenant.ts';

/**
 * The API, killed at the worst point: the first change is committed, and neither the dispatcher nor the caller knows
 * it.
 */

const config = readApiConfig();
const { deps } = compose(config);
const knex = connect({ url: config.DATABASE_URL, applicationName: 'dying-api' });
// The nudge is the first thing that happens after a commit.
const die = () => process.kill(process.pid, 'SIGKILL');
const [withTenant, withPipeline] = [createWithTenant(knex, die), createWithPipeline(knex, die)];

const handle = createApp({ ...deps, withTenant, withPipeline }).callback();
createServer((request, response) => void handle(request, response)).listen(config.PORT, config.HOST, reportReady);
