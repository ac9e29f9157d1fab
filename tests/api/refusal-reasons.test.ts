import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { withinDeadline } from '../../api/deadline.ts';
import { STATUS } from '../../api/middleware/errors.ts';
import { assertSent } from '../../api/quotes/share.ts';
import { newId } from '../../db/ids.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { selectionChanged, ServiceError } from '../../domain/errors.ts';
import { REASONS, type Reason } from '../../domain/refusal-reasons.ts';
import { ROOT } from '../docs/documents.ts';
import { needs } from '../stack.ts';
import { attach, form, pdf } from './attachment-files.ts';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { type Credential, type Response, type Service, service } from './service.ts';

needs('storage');

/** What a proof needs: a PRO business with a client and a quote, and a FREE one. */
interface World {
  readonly app: Service;
  readonly pro: build.Business;
  readonly free: build.Business;
  readonly collaborator: Credential;
  readonly clientId: string;
  readonly quoteId: string;
}

/** A request that is refused for the reason. */
type Provoke = (world: World) => Promise<{ readonly status: number; readonly body: Response['body'] }>;

/** The test file that asserts the reason, where the refusal needs more than a request. */
type Elsewhere = `tests/${string}.test.ts`;

/** What an error handler makes of a refusal that no single request can cause. */
async function thrownBy(work: Promise<unknown>): ReturnType<Provoke> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ServiceError);
  return { status: STATUS[error.kind], body: { code: error.kind, reason: error.reason } };
}

const UNKNOWN = 'c5tz6q8v0k3m9w2x7y4n1b0d';
const missing =
  (path: string, method = 'GET'): Provoke =>
  ({ app, pro }) =>
    app.request(method, path, { headers: pro.owner, ...(method === 'PATCH' && { body: {} }) });
const notInPlan =
  (method: string, path: string, body?: unknown): Provoke =>
  ({ app, free }) =>
    app.request(method, path, { headers: free.owner, body });
const post =
  (path: string, body: unknown, headers: Credential = {}): Provoke =>
  ({ app, pro }) =>
    app.post(path, body, { ...pro.owner, ...headers });
const quoteWith =
  (fields: object, item: object = {}): Provoke =>
  ({ app, pro, clientId }) =>
    app.post('/api/quotes', { clientId, items: [{ ...build.ITEM, ...item }], ...fields }, pro.owner);
const settings =
  (body: object): Provoke =>
  ({ app, pro }) =>
    app.request('PUT', '/api/settings', { headers: pro.owner, body });
const upload =
  (path: string, field: string, file: Blob): Provoke =>
  ({ app, pro }) => {
    const body = new FormData();
    body.set(field, file, 'archivo');
    return app.request('POST', path, { headers: pro.owner, body });
  };
const raw =
  (headers: Record<string, string>, options: { method?: string; body?: string } = {}): Provoke =>
  ({ app, pro }) =>
    rawRequest(`${app.url}/api/clients`, { headers: { ...pro.owner, ...headers }, ...options });

/** For each reason a request that provokes it, or the test that asserts it. A new reason does not compile without one. */
const PROOFS: Readonly<Record<Reason, Provoke | Elsewhere>> = {
  invalid_input: post('/api/clients', {}),
  invalid_json: post('/api/clients', '{'),
  json_too_deep: post('/api/clients', `${'['.repeat(40)}${']'.repeat(40)}`),
  unknown_member: post('/api/clients', { contactName: 'Ana', colour: 1 }, { Prefer: 'handling=strict' }),
  idempotency_key_invalid: post('/api/clients', { contactName: 'Ana' }, { 'Idempotency-Key': '""' }),
  host_not_allowed: 'tests/api/loopback-only.test.ts',
  link_not_valid: post('/api/auth/reset-password', { token: 'x'.repeat(43), password: build.PASSWORD }),
  quote_expired: async ({ app, pro }) => {
    const { id } = await build.quote(pro.owner);
    await build.patchQuote(pro, id, { expiresAt: new Date(Date.now() - 60_000) });
    return app.post(`/api/quotes/${id}/share`, undefined, pro.owner);
  },
  client_has_no_email: async ({ app, pro }) => {
    const { id: clientId } = await build.client(pro.owner, { email: null });
    const { id } = await build.quote(pro.owner, { clientId });
    return app.post(`/api/quotes/${id}/share`, undefined, pro.owner);
  },
  expiry_not_allowed: quoteWith({ expiresAt: '2020-01-01T00:00:00Z' }),
  selection_not_allowed: async ({ app, pro }) => {
    const { portal } = await build.sentQuote(pro);
    return app.post(`${portal}/totals`, { version: 1, selectedItemIds: [UNKNOWN] });
  },
  tax_codes_not_allowed: quoteWith({}, { taxes: ['NADA'] }),
  total_out_of_range: quoteWith({}, { unitPrice: 999_999_999, quantity: 1_000_000 }),
  deposit_not_allowed: quoteWith({ deposit: { type: 'amount', value: 9_999 } }),
  next_number_too_low: settings({ nextQuoteNumber: 1 }),
  url_not_callable: post('/api/webhooks', { url: 'http://10.0.0.1/', events: ['quote.created'] }),
  signature_image_invalid: async ({ app, pro }) => {
    const { portal } = await build.sentQuote(pro);
    const signature = { type: 'drawn', data: 'data:image/png;base64,AAAA' };
    return app.post(`${portal}/accept`, { ...build.SIGNER, signature });
  },
  file_missing: ({ app, pro }) =>
    app.request('POST', '/api/settings/logo', { headers: pro.owner, body: new FormData() }),
  file_field_wrong: upload('/api/settings/logo', 'file', new Blob(['x'])),
  logo_type_not_allowed: upload('/api/settings/logo', 'logo', new Blob(['x'])),
  logo_not_usable: async (world) => {
    const transparent = sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } }).png();
    const file = new Blob([new Uint8Array(await transparent.toBuffer())]);
    return upload('/api/settings/logo', 'logo', file)(world);
  },
  logo_too_large: upload('/api/settings/logo', 'logo', new Blob([new Uint8Array(2 * 1024 * 1024 + 1)])),
  attachment_type_not_allowed: ({ app, pro, quoteId }) =>
    attach(app, pro.owner, quoteId, form(Buffer.from('x'), 'x.pdf')),
  attachment_not_usable: ({ app, pro, quoteId }) =>
    attach(app, pro.owner, quoteId, form(pdf({ trailer: '/Encrypt 3 0 R' }))),
  import_file_not_usable: upload('/api/clients/import', 'file', new Blob(['a\nb\n'])),
  export_too_large: 'tests/api/quotes.export-xlsx.test.ts',

  version_mismatch: async ({ app, pro }) => {
    const { id } = await build.client(pro.owner);
    return app.request('PATCH', `/api/clients/${id}`, {
      headers: { ...pro.owner, 'If-Match': '"0"' },
      body: { contactName: 'Ana' },
    });
  },

  status_change_not_allowed: ({ app, pro, quoteId }) =>
    app.patch(`/api/quotes/${quoteId}/status`, { status: 'WON' }, pro.owner),
  quote_is_final: async ({ app, pro }) => {
    const { id } = await build.quote(pro.owner);
    await build.patchQuote(pro, id, { status: 'WON' });
    return app.patch(`/api/quotes/${id}`, { expiresAt: new Date(Date.now() + 86_400_000).toISOString() }, pro.owner);
  },
  attachments_of_sent_quote: async ({ app, pro }) => attach(app, pro.owner, (await build.sentQuote(pro)).id),

  credentials_missing: ({ app }) => app.get('/api/quotes'),
  api_key_required: ({ app, pro }) => app.get('/api/v1/quotes', pro.owner),
  api_key_invalid: ({ app }) => app.get('/api/v1/quotes', { Authorization: `Bearer svc_${'0'.repeat(40)}` }),
  session_invalid: ({ app, pro }) =>
    app.get('/api/quotes', { Cookie: pro.owner['Cookie']?.replace(/=.*/, '=nada') ?? '' }),
  sign_in_failed: post('/api/auth/callback/credentials', { email: 'nadie@acme.test', password: 'no es la mía' }),

  two_factor_code_wrong: 'tests/api/auth.two-factor.test.ts',
  two_factor_required: 'tests/api/auth.two-factor.test.ts',

  permission_missing: ({ app, collaborator }) => app.get('/api/webhooks', collaborator),
  origin_not_allowed: post('/api/clients', { contactName: 'Ana' }, { 'Sec-Fetch-Site': 'cross-site' }),
  scope_required: async ({ app, pro }) => {
    const { body } = await app.post('/api/api-keys', { name: 'Tablero', scope: 'read' }, pro.owner);
    return app.post('/api/clients', { contactName: 'Ana' }, { Authorization: `Bearer ${body.key}` });
  },
  email_unverified: 'tests/api/auth.verification.test.ts',
  registration_closed: 'tests/api/auth.register.test.ts',

  audit_log_ui_not_in_plan: notInPlan('GET', '/api/audit-logs'),
  automations_not_in_plan: notInPlan('GET', '/api/automations'),
  collaborators_not_in_plan: notInPlan('POST', '/api/collaborators', { email: 'a@b.test', name: 'Ana' }),
  connector_not_in_plan: notInPlan('POST', '/api/connector/hooks'),
  dashboard_not_in_plan: notInPlan('GET', '/api/dashboard'),
  multi_currency_not_in_plan: notInPlan('POST', '/api/products', { name: 'Silla', unitPrice: 1, currency: 'USD' }),
  pdf_branding_not_in_plan: notInPlan('PUT', '/api/settings', { pdfBranding: { primaryColor: '#112233' } }),
  pipeline_not_in_plan: notInPlan('GET', '/api/pipeline'),
  quote_duplication_not_in_plan: notInPlan('POST', `/api/quotes/${UNKNOWN}/duplicate`),
  quote_versioning_not_in_plan: notInPlan('POST', `/api/quotes/${UNKNOWN}/revise`, {}),
  share_link_not_in_plan: notInPlan('POST', `/api/quotes/${UNKNOWN}/share`, { channel: 'link' }),
  share_with_anyone_not_in_plan: async ({ app, free }) => {
    const { id } = await build.quote(free.owner);
    return app.post(`/api/quotes/${id}/share`, { to: ['otra@persona.test'] }, free.owner);
  },
  templates_not_in_plan: notInPlan('POST', '/api/templates', {}),
  webhooks_not_in_plan: notInPlan('GET', '/api/webhooks'),

  api_key_not_found: missing(`/api/api-keys/${UNKNOWN}`, 'DELETE'),
  attachment_not_found: ({ app, pro, quoteId }) => app.get(`/api/quotes/${quoteId}/attachments/${UNKNOWN}`, pro.owner),
  automation_not_found: missing(`/api/automations/${UNKNOWN}`),
  business_not_found: 'tests/api/settings.test.ts',
  logo_not_found: ({ app, pro }) => app.get('/api/settings/logo', pro.owner),
  client_not_found: missing(`/api/clients/${UNKNOWN}`),
  collaborator_not_found: missing(`/api/collaborators/${UNKNOWN}`, 'PATCH'),
  delivery_not_found: async ({ app, pro }) => {
    const { body } = await app.post(
      '/api/webhooks',
      { url: 'http://127.0.0.1:9/', events: ['quote.created'] },
      pro.owner,
    );
    return app.get(`/api/webhooks/${body.id}/deliveries/${UNKNOWN}`, pro.owner);
  },
  import_not_found: missing(`/api/imports/${UNKNOWN}`),
  label_not_found: missing(`/api/labels/${UNKNOWN}`, 'DELETE'),
  notification_not_found: missing(`/api/notifications/${UNKNOWN}/read`, 'PATCH'),
  product_not_found: missing(`/api/products/${UNKNOWN}`),
  quote_not_found: missing(`/api/quotes/${UNKNOWN}`),
  route_not_found: missing('/api/nada'),
  session_not_found: missing(`/api/auth/sessions/${UNKNOWN}`, 'DELETE'),
  signature_not_found: ({ app, pro, quoteId }) => app.get(`/api/quotes/${quoteId}/signature/evidence`, pro.owner),
  template_not_found: missing(`/api/templates/${UNKNOWN}`),
  webhook_not_found: missing(`/api/webhooks/${UNKNOWN}`),

  method_not_allowed: missing('/api/quotes', 'DELETE'),

  quote_already_answered: async ({ app, pro }) => {
    const { portal } = await build.sentQuote(pro);
    await app.post(`${portal}/reject`, {});
    return app.post(`${portal}/accept`, build.SIGNER);
  },
  quote_version_changed: async ({ app, pro }) => {
    const { portal } = await build.sentQuote(pro);
    return app.post(`${portal}/accept`, { ...build.SIGNER, version: 2 });
  },
  quote_client_changed: () =>
    thrownBy(
      Promise.resolve({
        result: { outcome: 'refused', reason: 'client_changed' },
        run: { workflowId: 'w', runId: 'r' },
      } as const).then(assertSent),
    ),
  // Of the page alone, which shows it as a sentence: tests/api/portal.selection.test.ts.
  selection_changed: () => thrownBy(Promise.reject(selectionChanged())),
  quote_number_taken: 'tests/api/quotes.numbering.test.ts',
  email_taken: ({ app, pro: { email } }) =>
    app.post('/api/auth/register', { businessName: 'Acme', name: 'Ana', email, password: build.PASSWORD }),
  label_name_taken: async ({ app, pro }) => {
    await app.post('/api/labels', { name: 'Urgente' }, pro.owner);
    return app.post('/api/labels', { name: 'Urgente' }, pro.owner);
  },
  last_owner: ({ app, pro }) => app.patch(`/api/collaborators/${pro.userId}`, { isActive: false }, pro.owner),
  two_factor_already_enabled: 'tests/api/auth.two-factor.test.ts',
  two_factor_not_enabled: post('/api/auth/two-factor/disable', { password: build.PASSWORD, code: '123456' }),
  two_factor_not_set_up: post('/api/auth/two-factor/enable', { password: build.PASSWORD, code: '123456' }),
  webhook_inactive: 'tests/api/webhooks.deliveries.test.ts',
  webhook_limit_reached: 'tests/api/tenant-limits.test.ts',
  automation_limit_reached: 'tests/api/tenant-limits.test.ts',
  api_key_limit_reached: 'tests/api/tenant-limits.test.ts',
  attachment_limit_reached: 'tests/api/attachments.test.ts',
  attachments_too_large: 'tests/api/attachments.test.ts',
  attachment_quota_reached: 'tests/api/attachments.races.test.ts',
  import_running: 'tests/api/imports.test.ts',

  idempotent_request_in_progress: 'tests/api/idempotency.test.ts',
  other_share_in_progress: 'tests/journey/share-recipients.test.ts',

  answer_period_over: async ({ app, pro }) => {
    const { id, portal } = await build.sentQuote(pro);
    await build.patchQuote(pro, id, { expiresAt: new Date(Date.now() - 60_000) });
    return app.post(`${portal}/accept`, build.SIGNER);
  },
  delivery_content_gone: async ({ app, pro }) => {
    const { body } = await app.post(
      '/api/webhooks',
      { url: 'http://127.0.0.1:9/', events: ['quote.created'] },
      pro.owner,
    );
    const [id, { tenantId }] = [newId(), pro];
    const row = { id, tenantId, webhookId: body.id, event: 'quote.created', eventId: newId() };
    const at = new Date();
    const ended = { deliveredAt: at, completedAt: at, bodiesPurgedAt: at };
    const payload = '{"event":"quote.created","timestamp":"2026-01-01T00:00:00.000Z","data":{}}';
    await app.deps.withTenant(tenantId, (trx) =>
      WebhookDelivery.query(trx).insert({
        ...row,
        payload,
        status: 'DELIVERED',
        ...ended,
      }),
    );
    return app.post(`/api/webhooks/${body.id}/deliveries/${id}/replay`, undefined, pro.owner);
  },

  body_too_large: post('/api/clients', { contactName: 'x'.repeat(2 * 1024 * 1024) }),
  url_too_long: missing(`/api/quotes?search=${'a'.repeat(8 * 1024)}`),
  headers_too_large: raw({ 'X-Long': 'x'.repeat(17 * 1024) }),
  content_length_missing: ({ app, pro }) =>
    rawRequest(`${app.url}/api/settings/logo`, {
      method: 'POST',
      headers: { ...pro.owner, 'Content-Type': 'multipart/form-data; boundary=x', 'Transfer-Encoding': 'chunked' },
      body: '--x--',
    }),
  file_too_large: ({ app, pro, quoteId }) =>
    attach(app, pro.owner, quoteId, form(pdf({ bytes: 5 * 1024 * 1024 + 100_000 }))),

  content_type_not_supported: post('/api/clients', 'a=1', { 'Content-Type': 'text/plain' }),
  charset_not_supported: post('/api/clients', '{}', { 'Content-Type': 'application/json; charset=latin1' }),
  content_encoding_not_supported: post('/api/clients', '{}', {
    'Content-Type': 'application/json',
    'Content-Encoding': 'zstd',
  }),

  idempotency_key_reused: async ({ app, pro }) => {
    const keyed = { ...pro.owner, 'Idempotency-Key': crypto.randomUUID() };
    await app.post('/api/clients', { contactName: 'Ana' }, keyed);
    return app.post('/api/clients', { contactName: 'Eva' }, keyed);
  },

  rate_limit_reached: 'tests/api/rate-limits.test.ts',
  sign_in_throttled: 'tests/api/auth.throttle.test.ts',
  two_factor_locked: 'tests/api/auth.two-factor.test.ts',
  verification_limit_reached: 'tests/api/auth.verification.test.ts',
  mail_quota_reached: 'tests/api/mail-quota.test.ts',
  message_limit_reached: 'tests/api/portal.changes.test.ts',
  stream_limit_reached: 'tests/api/bounded-database.test.ts',
  work_queue_full: 'tests/adapters/crypto.test.ts',

  mail_not_accepted: 'tests/system/mail-trouble.test.ts',
  endpoint_unreachable: 'tests/api/webhooks.deliveries.test.ts',
  service_unavailable: 'tests/api/quotes.runs.test.ts',
  deadline_exceeded: () => thrownBy(withinDeadline(new Promise(() => undefined), Date.now() + 10)),
  share_pending: 'tests/api/idempotency.share.test.ts',
};

describe('reasons of refusals', () => {
  let world: World;
  before(async () => {
    const [app, pro, free] = [await service(), await build.business(), await build.business({ plan: 'FREE' })];
    const { as: collaborator } = await build.member(pro);
    const { id: clientId } = await build.client(pro.owner);
    const { id: quoteId } = await build.quote(pro.owner, { clientId });
    world = { app, pro, free, collaborator, clientId, quoteId };
  });

  for (const [code, reasons] of Object.entries(REASONS)) {
    for (const reason of reasons) {
      const proof = PROOFS[reason];
      if (typeof proof === 'string') {
        it(`${reason} is asserted in ${proof}`, () => {
          assert.match(readFileSync(ROOT + proof, 'utf8'), new RegExp(`'${reason}'`));
        });
      } else {
        it(`${reason} is the reason of a refusal with the code ${code}`, async () => {
          const { body } = await proof(world);

          assert.deepEqual([body.code, body.reason], [code, reason], JSON.stringify(body));
        });
      }
    }
  }
});

describe('catalogue of reasons', () => {
  const all = Object.values(REASONS).flat();
  const sources = ['domain', 'api', 'db', 'adapters', 'activities', 'worker', 'ops', 'dev'].flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(`${ROOT}${folder}/${file}`, 'utf8') })),
  );
  const FACTORIES = ['domain/errors.ts', 'domain/request-refusals.ts'];

  it('each reason belongs to one code and is in snake_case', () => {
    assert.equal(new Set(all).size, all.length);
    assert.deepEqual(
      all.filter((reason) => !/^[a-z]+(_[a-z]+)*$/.test(reason)),
      [],
    );
  });

  it('each reason is created in one place, so no two refusals share one', () => {
    const text = sources
      .filter(({ file }) => FACTORIES.includes(file))
      .map((source) => source.text)
      .join('\n');
    const created = (reason: string) => text.split(`'${reason}'`).length - 1;

    // Those of plans are made from the name of the feature, which occurs once in its table.
    const own = all.filter((reason) => !reason.endsWith('_not_in_plan'));
    assert.deepEqual(
      own.filter((reason) => created(reason) !== 1),
      [],
    );
  });

  it('refusals are created nowhere else', () => {
    const others = sources.filter(({ file }) => !FACTORIES.includes(file));

    assert.deepEqual(
      others.filter(({ text }) => text.includes('new ServiceError(')).map(({ file }) => file),
      [],
    );
  });
});
