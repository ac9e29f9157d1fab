import { newId } from '../../db/ids.ts';
import { cookieOf } from '../api/build.ts';
import type { Credential } from '../api/service.ts';
import type { Installation } from '../installation.ts';
import type { Ledger, Tenant } from './ledger.ts';
import type { Receivers } from './receivers.ts';

/**
 * Businesses of the load, created over HTTP before any fault. The first has half the traffic. `wired` of them have a
 * webhook on every event and two automations: a workflow costs the development server tens of milliseconds, so not all
 * can have them.
 */
export async function makeTenants(
  service: Installation,
  receivers: Receivers,
  { count, wired }: { readonly count: number; readonly wired: number },
): Promise<Ledger> {
  const tenants: Tenant[] = [];
  for (let index = 0; index < count; index += 1) {
    tenants.push(await makeTenant(service, receivers, index, index < wired));
  }
  return { tenants, calls: [], contradictions: [] };
}

/** One of them. */
export async function makeTenant(
  service: Installation,
  receivers: Receivers,
  index: number,
  wired: boolean,
): Promise<Tenant> {
  const canary = `canario${newId()}`;
  const account = { businessName: `Casa ${canary}`, name: 'Diana', email: `${canary}@dueno.test` };
  const registered = await created(service, '/api/auth/register', { ...account, password: 'una frase larga' }, {});
  const owner = cookieOf(registered.headers);
  const tenantId: string = registered.body.user.tenantId;
  const [row] = await service.rows('select slug from tenants where id = $1', tenantId);
  const clientEmail = `${canary}@cliente.test`;
  const client = await created(service, '/api/clients', { contactName: canary, email: clientEmail }, owner);
  const webhookSecret = wired ? await wire(service, receivers.urlFor(index), owner) : '';
  const tenant = {
    index,
    id: tenantId,
    slug: String(row?.['slug']),
    owner,
    canary,
    clientId: String(client.body.id),
    clientEmail,
    wired,
    webhookSecret,
    quotes: [],
  };
  receivers.expect(tenant);
  return tenant;
}

/** A webhook on all quote events, and automations whose effects can be counted. */
async function wire(service: Installation, url: string, owner: Credential): Promise<string> {
  const events = ['quote.created', 'quote.status_changed', 'quote.sent'];
  const webhook = await created(service, '/api/webhooks', { url, events }, owner);
  const label = await created(service, '/api/labels', { name: 'Nueva', color: '#1F4E79' }, owner);
  await created(
    service,
    '/api/automations',
    {
      name: 'Nueva',
      trigger: 'QUOTE_CREATED',
      actions: [
        { type: 'add_label', labelId: label.body.id },
        { type: 'send_notification', title: 'Nueva {{quote.quoteNumber}}', body: 'Revisar' },
      ],
    },
    owner,
  );
  await created(
    service,
    '/api/automations',
    {
      name: 'Enviada',
      trigger: 'QUOTE_SENT',
      actions: [{ type: 'create_reminder', delayMinutes: 0, message: 'Llamar' }],
    },
    owner,
  );
  return String(webhook.body.secret);
}

async function created(service: Installation, path: string, body: object, as: Credential) {
  const res = await service.http.post(path, body, as);
  if (res.status !== 201) throw new Error(`${path}: ${res.status} ${JSON.stringify(res.body)}`);
  return res;
}
