import { readApiConfig } from '../../adapters/config.ts';
import { compose } from '../../api/compose.ts';
import { createQuote } from '../../api/quotes/create.ts';
import { connect } from '../../db/database.ts';
import { createWithTenant } from '../../db/with-tenant.ts';
import { newId } from '../../db/ids.ts';

/**
 * A process that is killed at the worst point of POST /api/quotes: the quote is committed, and nobody was told, neither
 * the relay nor the caller. Run with QUOTE_FOR = "tenantId userId clientId".
 */

const [tenantId = '', userId = '', clientId = ''] = (process.env['QUOTE_FOR'] ?? '').split(' ');
const config = readApiConfig();
const { deps } = compose(config);
const knex = connect({ url: config.DATABASE_URL, pool: 1, applicationName: 'commit-and-die' });
// The nudge is the first thing that happens after a commit.
const withTenant = createWithTenant(knex, () => process.kill(process.pid, 'SIGKILL'));

await createQuote(
  { ...deps, withTenant },
  {
    tenantId,
    userId,
    role: 'OWNER',
    plan: 'PRO',
    credential: { kind: 'session', id: newId() },
    requestId: newId(),
  },
  { clientId, items: [{ productName: 'Mesa', quantity: 1, unitPrice: 900 }] },
);
throw new Error('the commit did not kill this process');
