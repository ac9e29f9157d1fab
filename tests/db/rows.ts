import type { Knex } from 'knex';
import { newId } from '../../db/ids.ts';

/** Rows with what their columns require, for tests that only need them to exist. */

type Fields = Readonly<Record<string, unknown>>;

/** A webhook of the tenant, as its id. */
export async function insertWebhook(owner: Knex, tenantId: string, fields: Fields = {}): Promise<string> {
  const id = newId();
  await owner('webhooks').insert({
    id,
    tenant_id: tenantId,
    url: 'https://example.com/hook',
    events: ['product.created'],
    secret_sealed: 'x',
    secret_last4: 'last',
    ...fields,
  });
  return id;
}

/** A delivery that has not begun. */
export const deliveryRow = (tenantId: string, webhookId: string | undefined) => ({
  id: newId(),
  tenant_id: tenantId,
  webhook_id: webhookId,
  event: 'product.created',
  event_id: newId(),
  payload: '{}',
});

/** A quote of the tenant with its creator and client. */
export async function insertQuote(owner: Knex, tenantId: string, fields: Fields = {}) {
  const [userId, clientId, quoteId] = [newId(), newId(), newId()];
  const user = { id: userId, email: `${userId}@negocio.test`, name: 'Ana', role: 'OWNER', password_hash: 'x' };
  await owner('users').insert({ ...user, tenant_id: tenantId });
  await owner('clients').insert({ id: clientId, tenant_id: tenantId, contact_name: 'Laura' });
  await owner('quotes').insert({
    id: quoteId,
    tenant_id: tenantId,
    user_id: userId,
    client_id: clientId,
    client_contact_name: 'Laura',
    quote_number: 1,
    status: 'SENT',
    subtotal: 0,
    tax: 0,
    total: 0,
    shipping_cost: 0,
    tax_rate: 0,
    currency: 'MXN',
    notes: '',
    public_token_hash: quoteId,
    public_token_sealed: 'x',
    expires_at: new Date(),
    ...fields,
  });
  return { userId, clientId, quoteId };
}
