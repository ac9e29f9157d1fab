import type { Client } from 'pg';
import { createSecretBox } from '../../adapters/crypto/secret-box.ts';
import { newId } from '../../db/ids.ts';
import { OUTBOX_CHANNEL } from '../../db/with-tenant.ts';
import type { Databases } from './database.ts';

/** Events that are stored and that webhooks want, over many businesses. */

export interface Subscriber {
  readonly tenantId: string;
  readonly webhookId: string;
}

export const EVENT_BODY = JSON.stringify({
  event: 'client.created',
  timestamp: '2026-11-28T00:00:00.000Z',
  data: { client: { contactName: 'María Pérez', companyName: 'Muebles Roble', email: 'maria@example.com' } },
});

/** So many businesses, each with one webhook at that address. As a superuser. */
export async function subscribers(
  client: Client,
  databases: Databases,
  {
    count,
    url,
    events = ['client.created'],
  }: { readonly count: number; readonly url: string; readonly events?: readonly string[] },
): Promise<readonly Subscriber[]> {
  const box = createSecretBox(databases.secrets.encryption);
  const made = Array.from({ length: count }, () => ({ tenantId: newId(), webhookId: newId() }));
  for (const { tenantId, webhookId } of made) {
    const secret = `whsec_${Buffer.from(webhookId.padEnd(32, 'x').slice(0, 32)).toString('base64')}`;
    await client.query(
      `insert into tenants (id, slug, company_name, plan, currency) values ($1, 'b-' || $1, 'Negocio', 'PRO', 'MXN')`,
      [tenantId],
    );
    await client.query(
      `insert into webhooks (id, tenant_id, url, events, secret_sealed, secret_last4) values ($1, $2, $3, $5, $4, 'xxxx')`,
      [webhookId, tenantId, url, box.seal(secret, { purpose: 'webhook_secret', rowId: webhookId }), events],
    );
  }
  return made;
}

/** Stores so many events, spread over them, and wakes the dispatcher as a commit of the service would. */
export async function storeEvents(client: Client, to: readonly Subscriber[], count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  await client.query(
    `insert into outbox_events (id, tenant_id, type, payload, root_event_id)
     select e.id, e.tenant_id, 'client.created', $3, e.id from unnest($1::text[], $2::text[]) as e (id, tenant_id)`,
    [ids, ids.map((_, n) => to[n % to.length]?.tenantId), EVENT_BODY],
  );
  await client.query(`select pg_notify('${OUTBOX_CHANNEL}', '')`);
}
