import { Connection } from '@temporalio/client';
import type { ApiConfig } from '../adapters/config.ts';
import { createPasswords } from '../adapters/crypto/passwords.ts';
import { createSecretBox } from '../adapters/crypto/secret-box.ts';
import { createSessionCookies } from '../adapters/crypto/session-cookie.ts';
import { createImages } from '../adapters/images/images.ts';
import { createLog } from '../adapters/log.ts';
import { createOutboundHttp } from '../adapters/outbound-http/client.ts';
import { createPdfRenderer } from '../adapters/pdf/renderer.ts';
import { createStorage } from '../adapters/storage.ts';
import { clientOptions, namespaceOptions } from '../adapters/temporal/connection.ts';
import { connect } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import { createNudge } from '../db/nudge.ts';
import { createReadAtOnce } from '../db/at-once.ts';
import { createLookups } from '../db/reads/lookups.ts';
import { createMembers } from '../db/reads/members.ts';
import { createWithTenant } from '../db/with-tenant.ts';
import { createSignInThrottle } from './auth/sign-in-throttle.ts';
import type { Deps } from './deps.ts';
import { createDraining } from './draining.ts';
import { createRateLimits } from './rate-limits.ts';
import { createWorkflows } from './temporal.ts';
import { createWorkflowRuns } from './workflow-runs.ts';

/** Everything that requests work with, made from the configuration. Nothing is waited for: parts may come later. */
export function compose(config: ApiConfig): { readonly deps: Deps; readonly close: () => Promise<void> } {
  const log = createLog({ level: config.LOG_LEVEL, name: 'api' });
  const knex = connect({ url: config.DATABASE_URL, pool: config.DATABASE_POOL, applicationName: 'quoting-api' });
  const readAtOnce = createReadAtOnce(knex);
  const connection = Connection.lazy(clientOptions(config));

  const deps: Deps = {
    config,
    log,
    withTenant: createWithTenant(knex, createNudge(knex)),
    readAtOnce,
    lookups: createLookups(knex),
    members: createMembers(readAtOnce),
    passwords: createPasswords(),
    cookies: createSessionCookies({ secrets: config.SESSION_SECRETS, secure: config.PUBLIC_URL.startsWith('https:') }),
    secrets: createSecretBox(config.ENCRYPTION_KEYS),
    pdf: createPdfRenderer({ log }),
    images: createImages(),
    storage: createStorage(config),
    outbound: createOutboundHttp(config),
    workflows: createWorkflows(connection, namespaceOptions(config)),
    workflowRuns: createWorkflowRuns(connection, {
      ...namespaceOptions(config),
      uiUrl: config.TEMPORAL_UI_URL,
    }),
    rateLimits: createRateLimits(config),
    signInThrottle: createSignInThrottle(config),
    draining: createDraining(),
    health: {
      async database() {
        if (!(await isMigrated(knex))) throw new Error('migrations are missing');
      },
      async temporal() {
        await connection.withDeadline(Date.now() + 2_000, () => connection.workflowService.getSystemInfo({}));
      },
    },
  };

  return {
    deps,
    async close() {
      await deps.pdf.close();
      deps.storage.close();
      await connection.close();
      await knex.destroy();
    },
  };
}
