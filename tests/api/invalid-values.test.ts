import assert from 'node:assert/strict';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import * as build from './build.ts';
import { allRows } from './matrix-world.ts';
import { type Service, service } from './service.ts';

const EVENTS = ['quote.created', 'quote.sent'];
const webhook = (url: string) => ({ url, events: EVENTS });
const ITEM = { productName: 'Silla', unitPrice: 0.125, quantity: 2, discountPct: 10 };
const template = (fields: object) => ({ name: 'x', items: [ITEM], ...fields });
const NOTIFY = { type: 'send_notification', title: 'Hola', body: 'Cotización {{quote.quoteNumber}}' };
const automation = (fields: object) => ({ name: 'Avisar', trigger: 'QUOTE_CREATED', actions: [NOTIFY], ...fields });
const action = (fields: object) => automation({ actions: [NOTIFY, fields] });
const mail = (fields: object) => action({ type: 'send_email', to: 'client', subject: 'a', body: 'b', ...fields });
const fire = (fields: object) => action({ type: 'fire_webhook', url: 'https://hooks.example.com/x', ...fields });
const condition = (fields: object) => automation({ conditions: [fields] });
const reminder = (fields: object) => action({ type: 'create_reminder', delayMinutes: 5, message: 'x', ...fields });
const BCC = 'a@b.mx\r\nBcc: c@d.mx';

/** The error of each request: a body, or JSON as it is sent. `{client}` in a path is a record of the business. */
const REFUSED: Readonly<Record<string, readonly (readonly [error: string, body?: unknown])[]>> = {
  'POST /api/products': [
    ['unitPrice: debe tener como máximo 6 decimales', { name: 'Silla', unitPrice: 0.1234567 }],
    ['unitPrice: debe ser menor que 1000000000', { name: 'Silla', unitPrice: 1e9 }],
    ['unitPrice: debe ser mayor o igual que 0', { name: 'Silla', unitPrice: -0.01 }],
    ['currency: debe ser un código ISO 4217', { name: 'Silla', unitPrice: 1, currency: 'ZZZ' }],
  ],
  'POST /api/clients': [
    ['contactName: es obligatorio', { companyName: 'La Palma' }],
    ['contactName: no puede estar vacío', { contactName: '   ' }],
    ['contactName: debe tener como máximo 200 caracteres', { contactName: 'ñ'.repeat(201) }],
    ['email: debe ser un correo electrónico válido', { contactName: 'Laura', email: 'laura' }],
    ['email: debe ser un correo electrónico válido', { contactName: 'Laura', email: BCC }],
    ['notes: contiene caracteres no permitidos', { contactName: 'Laura', notes: 'a\u0000b' }],
    ['notes: contiene caracteres no permitidos', '{"contactName":"Laura","notes":"\\ud83d"}'],
    ['country: debe ser un código ISO 3166-1 de dos letras', { contactName: 'Laura', country: 'mx' }],
    ['country: debe ser un código ISO 3166-1 de dos letras', { contactName: 'Laura', country: 'XX' }],
  ],
  'PATCH /api/clients/{client}': [
    ['contactName: no puede estar vacío', { contactName: ' ' }],
    ['email: debe ser un correo electrónico válido', { email: BCC }],
  ],
  'GET /api/clients?search=a%00b': [['search: contiene caracteres no permitidos']],
  'POST /api/labels': [
    ['name: debe tener como máximo 50 caracteres', { name: 'ñ'.repeat(51) }],
    ['color: no es válido', { name: 'Urgente', color: 'rojo' }],
  ],
  'POST /api/api-keys': [
    ['name: debe tener como máximo 100 caracteres', { name: 'x'.repeat(101) }],
    ['name: no puede estar vacío', { name: '  ' }],
  ],
  'POST /api/collaborators': [['email: debe ser un correo electrónico válido', { name: 'Eva', email: BCC }]],
  'PATCH /api/collaborators/{member}': [['role: debe ser uno de: OWNER, COLLABORATOR', { role: 'ADMIN' }]],
  'POST /api/webhooks': [
    ['url: es obligatorio', {}],
    ['events: debe tener al menos un elemento', { url: 'https://example.com', events: [] }],
    [`events.0: debe ser uno de: ${SUBSCRIBABLE_EVENTS.join(', ')}`, { url: 'https://example.com', events: ['quote.revised'] }],
    ['url: debe ser una URL válida', webhook('example.com')],
    ['url: debe comenzar con http:// o https://', webhook('ftp://example.com')],
    ['url: debe apuntar a una dirección pública', webhook('http://169.254.169.254/latest')],
    ['url: no puede llevar usuario ni contraseña', webhook('http://u:p@example.com/')],
  ],
  'PUT /api/webhooks/{webhook}': [['url: debe apuntar a una dirección pública', { url: 'http://10.0.0.7/' }]],
  'POST /api/connector/hooks': [
    ['targetUrl: debe apuntar a una dirección pública', { event: 'quote.created', targetUrl: 'http://10.1.1.1/' }],
  ],
  'POST /api/connector/actions/create-from-template': [['templateId: es obligatorio', {}]],
  'POST /api/templates': [
    ['name: es obligatorio', { items: [ITEM] }],
    ['name: no puede estar vacío', template({ name: '  ' })],
    ['name: debe tener como máximo 100 caracteres', template({ name: 'n'.repeat(101) })],
    ['items: es obligatorio', { name: 'x' }],
    ['items: debe tener al menos un elemento', template({ items: [] })],
    ['items: debe tener como máximo 200000 caracteres de texto en total', template({ items: Array.from({ length: 101 }, () => ({ ...ITEM, productName: 'ñ'.repeat(2_000) })) })],
    ['items.0.productName: es obligatorio', template({ items: [{ unitPrice: 1, quantity: 1 }] })],
    ['items.0.unitPrice: debe ser mayor o igual que 0', template({ items: [{ ...ITEM, unitPrice: -1 }] })],
    ['items.0.quantity: debe ser un número entero', template({ items: [{ ...ITEM, quantity: 1.5 }] })],
    ['items.0.quantity: debe ser mayor o igual que 1', template({ items: [{ ...ITEM, quantity: 0 }] })],
    ['items.0.discountPct: debe ser menor o igual que 100', template({ items: [{ ...ITEM, discountPct: 101 }] })],
    ['description: debe tener como máximo 500 caracteres', template({ description: 'd'.repeat(501) })],
    ['notes: debe tener como máximo 2000 caracteres', template({ notes: 'n'.repeat(2001) })],
    ['notes: contiene caracteres no permitidos', template({ notes: 'a\0b' })],
    ['shippingCost: debe ser mayor o igual que 0', template({ shippingCost: -1 })],
    ['shippingCost: debe tener como máximo 2 decimales', template({ shippingCost: 1.234 })],
    ['currency: debe tener como máximo 10 caracteres', template({ currency: 'ABCDEFGHIJK' })],
  ],
  'PATCH /api/templates/{template}': [['items: debe tener al menos un elemento', { name: 'Otra', items: [] }]],
  'POST /api/automations': [
    ['name: es obligatorio', { trigger: 'QUOTE_SENT', actions: [NOTIFY] }],
    ['name: debe tener como máximo 100 caracteres', automation({ name: 'n'.repeat(101) })],
    ['name: no puede estar vacío', automation({ name: ' ' })],
    ['trigger: debe ser uno de: QUOTE_CREATED, QUOTE_SENT, QUOTE_VIEWED, QUOTE_ACCEPTED, QUOTE_REJECTED, QUOTE_WON, QUOTE_LOST, QUOTE_EXPIRING', automation({ trigger: 'QUOTE_EATEN' })],
    ['actions: es obligatorio', { name: 'x', trigger: 'QUOTE_SENT' }],
    ['actions: debe tener al menos un elemento', automation({ actions: [] })],
    ['actions.1.type: es obligatorio', action({ title: 'x' })],
    ['actions.1.type: no es uno de los tipos admitidos', action({ type: 'run_shell' })],
    ['actions.1.subject: es obligatorio', action({ type: 'send_email', to: 'client', body: 'b' })],
    ['actions.1.to: debe ser uno de: client, owner, custom', mail({ to: 'all' })],
    ['actions.1.customEmail: es obligatorio', mail({ to: 'custom' })],
    ['actions.1.customEmail: debe ser un correo electrónico válido', mail({ to: 'custom', customEmail: BCC })],
    ['actions.1.subject: no existe la variable {{quote.iva}}', mail({ subject: '{{quote.iva}}' })],
    ['actions.1.body: no existe la variable {{client.password}}', mail({ body: 'x {{client.password}}' })],
    ['actions.1.title: no existe la variable {{x}}', action({ ...NOTIFY, title: '{{x}}' })],
    ['actions.1.message: no existe la variable {{x}}', reminder({ message: '{{x}}' })],
    ['actions.1.delayMinutes: debe ser mayor o igual que 0', reminder({ delayMinutes: -1 })],
    ['actions.1.newStatus: debe ser uno de: GENERATED, SENT, WON, LOST, ACCEPTED, REJECTED', action({ type: 'change_status', newStatus: 'PAID' })],
    ['actions.1.labelId: es obligatorio', action({ type: 'add_label' })],
    ['actions.1.url: debe ser una URL válida', fire({ url: 'hooks' })],
    ['actions.1.url: debe apuntar a una dirección pública', fire({ url: 'http://169.254.169.254/' })],
    ['actions.1.url: no puede llevar usuario ni contraseña', fire({ url: 'http://u:p@example.com/' })],
    ['actions.1.headers.Host: es un encabezado reservado', fire({ headers: { Host: 'x' } })],
    ['actions.1.headers.X-Service-Signature: es un encabezado reservado', fire({ headers: { 'X-Service-Signature': 'x' } })],
    ['actions.1.headers.X-A: solo admite caracteres ASCII visibles', fire({ headers: { 'X-A': 'a\r\nb' } })],
    ['actions.1.headers.X-A: debe ser texto', fire({ headers: { 'X-A': 5 } })],
    ['conditions.0.operator: total admite: eq, neq, gt, lt, gte, lte', condition({ field: 'total', operator: 'contains', value: 'x' })],
    ['conditions.0.operator: status admite: eq, neq', condition({ field: 'status', operator: 'gt', value: 'SENT' })],
    ['conditions.0.operator: client.email admite: eq, neq, contains, starts_with', condition({ field: 'client.email', operator: 'is_empty' })],
    ['conditions.0.value: es obligatorio', condition({ field: 'total', operator: 'gt' })],
    ['conditions.0.value: debe ser un número de hasta 6 decimales', condition({ field: 'total', operator: 'gt', value: 'mil' })],
    ['conditions.0.value: debe ser texto', condition({ field: 'notes', operator: 'eq', value: 5 })],
    ['conditions.0.value: debe ser texto o un número', condition({ field: 'notes', operator: 'eq', value: {} })],
    ['conditions.0.field: es obligatorio', condition({ operator: 'eq', value: 5 })],
    ['delayMinutes: debe ser mayor o igual que 0', automation({ delayMinutes: -1 })],
    ['delayMinutes: debe ser menor o igual que 525600', automation({ delayMinutes: 525_601 })],
    ['delayMinutes: debe ser un número entero', automation({ delayMinutes: 1.5 })],
  ],
  'PATCH /api/automations/{automation}': [
    ['conditions.0.operator: total admite: eq, neq, gt, lt, gte, lte', { conditions: [{ field: 'total', operator: 'contains', value: '1' }] }],
    ['actions.0.url: debe apuntar a una dirección pública', { actions: [{ type: 'fire_webhook', url: 'http://10.0.0.1' }] }],
  ],
  'POST /api/automations/{automation}/test': [['quoteId: es obligatorio', {}]],
  'PUT /api/settings': [
    ...['America/Ciudad_de_Mexico', '-06:00', '', 'America/Mexico_City\n'].map((timeZone) => ['timeZone: debe ser una zona horaria IANA', { timeZone }] as const),
    ...[null, 6].map((timeZone) => ['timeZone: debe ser texto', { timeZone }] as const),
    ...['fr', 'ES-mx', ''].map((locale) => ['locale: debe ser uno de: es-MX, en-US, pt-BR', { locale }] as const),
    ['locale: debe ser texto', { locale: null }],
    ...['mx', 'MEX', 'XX'].map((country) => ['country: debe ser un código ISO 3166-1 de dos letras', { country }] as const),
    ['country: debe ser texto', { country: null }],
    ['companyName: debe ser texto', { companyName: ['Acme'] }],
    ['email: debe ser un correo electrónico válido', { email: 'ventas' }],
    ['email: debe ser un correo electrónico válido', { email: '' }],
    ['email: debe ser texto', { email: null }],
    ['taxRate: debe tener como máximo 4 decimales', { taxRate: 0.12345 }],
    ['taxRate: debe ser un número', { taxRate: '0.16' }],
    ['taxRate: debe ser un número', '{"taxRate":1e309}'],
    ['quoteValidityDays: debe ser un número entero', { quoteValidityDays: 1.5 }],
    ['currency: debe ser un código ISO 4217', { currency: 'XYZ' }],
    ['currency: debe ser un código ISO 4217', { currency: 'pesos' }],
    ['defaultNotes: debe tener como máximo 300 caracteres', { defaultNotes: 'ñ'.repeat(301) }],
    ['defaultNotes: contiene caracteres no permitidos', { defaultNotes: 'a\u0000' }],
    ['pdfBranding.primaryColor: no es válido', { pdfBranding: { primaryColor: 'red' } }],
    ['pdfBranding.fontFamily: debe ser uno de: Helvetica, Times, Courier', { pdfBranding: { fontFamily: 'Comic Sans' } }],
    ['pdfBranding.headerLayout: debe ser uno de: left, center, right', { pdfBranding: { headerLayout: 'top' } }],
    ['bankInfo: debe ser un objeto', { bankInfo: 'BBVA' }],
    ['bankInfo.beneficiary: debe tener como máximo 200 caracteres', { bankInfo: { beneficiary: 'x'.repeat(201) } }],
    ['paperSize: debe ser uno de: A4, LETTER', { paperSize: 'A5' }],
    ['taxId: debe tener como máximo 20 caracteres', { taxId: '1'.repeat(21) }],
    ['legalName: debe tener como máximo 200 caracteres', { legalName: 'x'.repeat(201) }],
  ],
}; // prettier-ignore

describe('Invalid values', () => {
  let app: Service;
  let business: build.Business;
  let ids: Readonly<Record<string, string>>;
  let rows: Awaited<ReturnType<typeof allRows>>;
  before(async () => {
    app = await service();
    business = await build.business();
    const { owner } = business;
    const made = async (path: string, body: unknown) => String((await app.post(path, body, owner)).body.id);
    ids = {
      client: (await build.client(owner)).id,
      member: (await build.member(business)).userId,
      webhook: await made('/api/webhooks', webhook('https://example.com/')),
      template: await made('/api/templates', template({})),
      automation: await made('/api/automations', automation({})),
    };
    rows = await allRows(business.tenantId);
  });

  for (const [route, cases] of Object.entries(REFUSED)) {
    const [method = '', path = ''] = route.split(' ');
    for (const [error, body] of cases) {
      it(`${route} answers 400 «${error}»${body === undefined ? '' : ` to ${JSON.stringify(body).slice(0, 60)}`}`, async () => {
        const url = path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? name);

        const res = await app.request(method, url, { headers: business.owner, body });

        assert.deepEqual([res.status, res.body.error, res.body.code], [400, error, 'invalid']);
        const [member = '', message] = error.split(/: (.*)/);
        assert.deepEqual(res.body.details[0], { path: member, message });
      });
    }
  }

  it('are refused without a change of any row of the business', async () => {
    assert.deepEqual(await allRows(business.tenantId), rows);
  });
});
