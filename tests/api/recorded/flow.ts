import type { EventType } from '../../../domain/event-types.ts';
import * as build from '../build.ts';
import { type Credential, service } from '../service.ts';
import { eventsOf } from '../stored.ts';

/** The calls of a caller that knows only the specified members, with what they returned. */

/** A response, with values that differ between runs replaced. */
export interface Recorded {
  readonly status: number;
  readonly body: unknown;
}

const ITEMS = [
  { productName: 'Silla', model: 'S-1', unitPrice: 285.21, quantity: 10, discountPct: 25 },
  { productName: 'Mesa', unitPrice: 99.125, quantity: 1 },
];

/** Such a caller does not subscribe to these. */
const ADDED_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  'quote.viewed',
  'quote.accepted',
  'quote.rejected',
  'quote.changes_requested',
  'quote.version_created',
  'quote.expiring',
  'quote.expired',
]);

/** Runs the flow and returns the responses by the name of their step. */
export async function specifiedFlow(): Promise<Readonly<Record<string, Recorded>>> {
  const app = await service();
  const business = await build.business();
  const { owner } = business;
  const steps: Record<string, Recorded> = {};
  const stable = stabilizer();
  const call = async (name: string, method: string, path: string, body?: unknown, as: Credential = owner) => {
    const response = await app.request(method, path, { headers: as, ...(body !== undefined && { body }) });
    const answered: unknown = response.body ?? response.bytes.toString();
    steps[name] = { status: response.status, body: stable(answered) };
    return response.body;
  };

  await call('read settings', 'GET', '/api/settings');
  await call('change settings', 'PUT', '/api/settings', { taxRate: 0.16, defaultNotes: 'Entrega en obra' });
  const client = await call('create client', 'POST', '/api/clients', {
    contactName: 'Laura Méndez',
    companyName: 'La Palma',
    email: 'laura@cliente.test',
    phone: '55 1234',
  });
  const clientId = client.id;
  const product = await call('create product', 'POST', '/api/products', { name: 'Silla', unitPrice: 285.21, modelSku: 'S-1' }); // prettier-ignore
  const linked = [{ ...ITEMS[0], productId: product.id }, ITEMS[1]];
  const quote = await call('create quote', 'POST', '/api/quotes', { clientId, items: linked, shippingCost: 99.9 });
  const { id, publicToken } = quote;
  await call('read quote', 'GET', `/api/quotes/${id}`);
  await call('list quotes', 'GET', '/api/quotes');
  await call('search quotes', 'GET', '/api/quotes?search=COT-1&sort=-total');
  await call('send quote', 'PATCH', `/api/quotes/${id}/status`, { status: 'SENT' });
  await call('read portal', 'GET', `/api/portal/${publicToken}`, undefined, {});
  await call('revise quote', 'POST', `/api/quotes/${id}/revise`, { clientId, items: ITEMS, notes: 'Segunda' });
  await call('read versions', 'GET', `/api/quotes/${id}/versions`);
  await call('change expiry', 'PATCH', `/api/quotes/${id}`, { validUntil: dayAhead(20) });
  await call('duplicate quote', 'POST', `/api/quotes/${id}/duplicate`);
  await call('win quote', 'PATCH', `/api/quotes/${id}/status`, { status: 'WON' });
  await call('export quotes', 'GET', '/api/quotes/export.csv');
  await call('read pipeline', 'GET', '/api/pipeline');
  await call('read dashboard', 'GET', '/api/dashboard');
  withoutEmptyDays(steps['read dashboard']?.body);
  const template = await call('create template', 'POST', '/api/templates', { name: 'Oficina', items: ITEMS, shippingCost: 150 }); // prettier-ignore
  await call('change template', 'PATCH', `/api/templates/${template.id}`, { description: 'Un puesto' });
  await call('list templates', 'GET', '/api/templates');
  await call('use template', 'POST', '/api/connector/actions/create-from-template', { templateId: template.id, clientId }); // prettier-ignore
  await call('sample event', 'GET', '/api/connector/triggers/quote.status_changed/sample');
  await call('refuse no lines', 'POST', '/api/quotes', { clientId, items: [] });
  await call('refuse quantities', 'POST', '/api/quotes', {
    clientId,
    items: [0, 0.5, '3', 1_000_001, null].map((quantity) => ({ ...ITEMS[0], quantity })),
  });
  await call('refuse total', 'POST', '/api/quotes', {
    clientId,
    items: [{ productName: 'X', unitPrice: 999_999_999, quantity: 11 }],
  });
  await call('refuse missing members', 'POST', '/api/quotes', { items: [{}] });
  const events = (await eventsOf(business)).filter(({ type }) => !ADDED_EVENTS.has(type));
  steps['events'] = { status: 200, body: stable(events.map(({ type, body }) => ({ type, data: body.data }))) };
  return steps;
}

const dayAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Replaces ids, tokens and times by a name for each kind, and addresses by their domain. */
function stabilizer(): (value: unknown) => unknown {
  const text = (value: string): string =>
    value
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\b\d{4}-\d\d-\d\d\b/g, '<day>')
      .replace(/\bc[a-z0-9]{24}\b/g, '<id>')
      // A token may begin or end with a hyphen, where \b does not match.
      .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, '<token>')
      .replace(/<id>@/g, '<address>@');
  const stable = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(stable);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, name === 'requestId' ? '<id>' : stable(member)]),
    );
  };
  return stable;
}

/** The month has had another number of days at each run. */
function withoutEmptyDays(body: unknown): void {
  // The shape is what the test compares.
  const { data } = body as { data: { chartData: { generated: number; won: number }[] } };
  data.chartData = data.chartData.filter(({ generated, won }) => generated + won > 0);
}
