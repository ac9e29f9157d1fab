import { connect } from '../../db/database.ts';
import { createWithTenant, type WithTenant } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Database } from './database.ts';
import { ownerId, sessionId, tenantId } from './seed.ts';

/** The reading side of the service within this process, for what can only be seen from inside. */
export interface Inside {
  readonly withTenant: WithTenant;
  readonly close: () => Promise<void>;
}

export function openInside({ appUrl }: Database): Inside {
  const knex = connect({ url: appUrl, pool: 4, applicationName: 'bench' });
  return { withTenant: createWithTenant(knex, () => undefined), close: () => knex.destroy() };
}

/** The owner of the first business. */
export const owner: Caller = {
  tenantId: tenantId(0),
  userId: ownerId(0),
  name: 'Diana',
  email: 'diana@example.com',
  role: 'OWNER',
  plan: 'PRO',
  isVerified: true,
  credential: { kind: 'session', id: sessionId(0) },
  timeZone: 'America/Mexico_City',
  country: 'MX',
  requestId: 'bench',
};
