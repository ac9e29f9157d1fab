import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { Environment } from './guide-session.ts';
import type { World } from './guide-world.ts';
import * as build from '../api/build.ts';

/** What each example of the guides prints, and what became of it in the service. */
export interface Outcome {
  /** What the programs print. */
  readonly prints: RegExp;
  /** What the shell command prints where it differs; not for one whose response follows it in the guide. */
  readonly shell?: RegExp;
  /** What must hold afterwards; `env` has what the programs exported. */
  readonly check?: (world: World, env: Environment, output: string) => Promise<void>;
}

const NOTHING = /^$/;
const ID = 'c[a-z0-9]{24}';
const SECRET = 'whsec_[A-Za-z0-9+/=]+';
const WEBHOOK = new RegExp(`^export WEBHOOK_ID=${ID}\nexport WEBHOOK_SECRET=${SECRET}$`);

async function hasWebhook({ get }: World, env: Environment): Promise<void> {
  const { status, body } = await get(`/api/webhooks/${env['WEBHOOK_ID']}`);
  assert.deepEqual([status, body.url], [200, env['ENDPOINT_URL']]);
  assert.match(env['WEBHOOK_SECRET'] ?? '', new RegExp(`^${SECRET}$`));
}

const quoteIs =
  (expected: object) =>
  async ({ get }: World, env: Environment): Promise<void> => {
    const { body } = await get(`/api/quotes/${env['QUOTE_ID']}`);
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, body[name]])), expected);
  };

/** Steps before the examples of a guide. */
export const PREPARATIONS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  // The client's page shows sent quotes only.
  'quotes.md': ({ business, env }) => build.patchQuote(business, env['QUOTE_ID'] ?? '', { status: 'SENT' }),
};

export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'quick-start.md: Subscribe to events': { prints: NOTHING },
  'quick-start.md: Subscribe to events (2)': { prints: WEBHOOK, shell: NOTHING, check: hasWebhook },
  'quick-start.md: Subscribe to events (3)': { prints: /^\{"ok":true\}$/ },
  'quick-start.md: Create a client': {
    prints: new RegExp(`^export CLIENT_ID=${ID}$`),
    shell: NOTHING,
    async check({ get }, env) {
      assert.equal((await get(`/api/clients/${env['CLIENT_ID']}`)).body.email, 'laura@lapalma.test');
    },
  },
  'quick-start.md: Create a quote': {
    prints: new RegExp(`^export QUOTE_ID=${ID}\nexport PUBLIC_TOKEN=[\\w-]{43}$`),
    shell: NOTHING,
    check: quoteIs({ status: 'GENERATED', subtotal: '6661.80', tax: '1065.89', total: '7727.69' }),
  },
  'quick-start.md: Send it': { prints: /^true$/, check: quoteIs({ status: 'SENT' }) },
  'quick-start.md: Accept it as the client': {
    prints: /^ACCEPTED$/,
    shell: /"status":"ACCEPTED"/,
    check: quoteIs({ status: 'ACCEPTED' }),
  },
  'quick-start.md: Accept it as the client (2)': { prints: /^ACCEPTED Laura Méndez$/ },
  'quick-start.md: See the events': {
    prints: /^(quote\.\w+ valid\n?)*$/,
    async check({ app }) {
      await eventually(async () => {
        const { body } = await app.get('/dev/sink/first', { Accept: 'application/json' });
        const calls = body.calls as { headers: Record<string, string>; signature: string }[];
        // A repeated share may have sent a second mail, which is a second event.
        const events = new Set(calls.map(({ headers, signature }) => `${headers['x-service-event']} ${signature}`));
        assert.deepEqual([...events].toSorted(), ['quote.accepted valid', 'quote.created valid', 'quote.sent valid']);
      });
    },
  },

  'authentication.md: Send the key': { prints: /^Acme OWNER$/ },
  'authentication.md: Create a key': {
    prints: /^svc_[0-9a-f]{40}$/,
    async check({ app }, _env, output) {
      const [key = ''] = /svc_[0-9a-f]{40}/.exec(output) ?? [];
      const { body } = await app.get('/api/v1/connector/me', { Authorization: `Bearer ${key}` });
      assert.equal(body.tenant.companyName, 'Acme');
    },
  },
  'authentication.md: When a key is refused': { prints: /"code":"unauthenticated"/ },

  'idempotency.md: Idempotency': {
    prints: /^attempt 1: (COT-\d+)\nattempt 2: \1, replayed$/,
    shell: /^(COT-\d+)\n\1$/,
    async check({ get }) {
      assert.equal((await get('/api/quotes')).body.total, 2);
    },
  },
  'idempotency.md: Another body under the same key': { prints: /"code":"unprocessable"/ },

  'concurrency.md: Edit with If-Match': { prints: /^200$/ },
  'concurrency.md: Revise a version that you have seen': { prints: /^2$/ },
  'concurrency.md: Poll with If-None-Match': { prints: /^200 304$/, shell: /^200\n304$/ },

  'money.md: Money': { prints: /^232\.00 MXN$/ },

  'dates.md: Until when a quote is valid': {
    prints: /^\d{4}-\d\d-\d\d \d{4}-\d\d-\d\dT05:59:59\.999Z$/,
    async check(_world, env, output) {
      assert.ok(output.startsWith(`${env['VALID_UNTIL']} `), output);
    },
  },
  'dates.md: Filter by time': { prints: /^2 quotes$/ },

  'limits.md: Rate limits': { prints: /^1 clients$/ },
  'limits.md: Unknown members': {
    prints: /"error":"colour: miembro desconocido"/,
    async check({ get }) {
      assert.deepEqual((await get('/api/labels')).body, []);
    },
  },

  'pagination.md: Page numbers': { prints: /^page 1 of 1$/ },
  'pagination.md: Cursors': { prints: /^COT-1$/ },
  'pagination.md: Synchronise': {
    prints: /^next: \d{4}-\d\d-\d\dT[\d:.]+Z$/,
    async check(_world, env, output) {
      assert.notEqual(output, `next: ${env['UPDATED_SINCE']}`);
    },
  },

  'quotes.md: Quotes': { prints: /^COT-2: 7473\.65 \+ 1251\.78 \+ 350 = 9075\.43 MXN$/ },
  'quotes.md: Read one': { prints: /^COT-1 232\.00 MXN$/ },
  'quotes.md: Options': { prints: /^232\.00$/, shell: /"total":"232\.00"/ },

  'sharing.md: Choose recipients': { prints: /^true$/, check: quoteIs({ status: 'SENT' }) },
  'sharing.md: Send a link yourself': { prints: /^http\S+\/p\/[\w-]{43}$/, shell: /"url":"http[^"]+\/p\/[\w-]{43}"/ },
  'sharing.md: Messages': {
    prints: new RegExp(`^${ID}$`),
    shell: new RegExp(`"id":"${ID}"`),
    check: quoteIs({ status: 'SENT' }),
  },
  'sharing.md: Messages (2)': {
    prints: /^PENDING$/,
    shell: /"mailStatus":"PENDING"/,
    async check({ get }, env) {
      const { body } = await get(`/api/quotes/${env['QUOTE_ID']}/messages`);
      assert.match(JSON.stringify(body), /la instalación va incluida/);
    },
  },

  'sharing.md: Accept and reject': {
    prints: /^REJECTED$/,
    shell: /"status":"REJECTED"/,
    async check({ get }, env) {
      const { body } = await get(`/api/quotes/${env['QUOTE_ID']}`);
      assert.deepEqual([body.status, body.answer.reason], ['REJECTED', 'Encontramos un mejor precio']);
    },
  },

  'files.md: Attach a file to a quote': {
    prints: /^contrato\.pdf [0-9a-f]{64}$/,
    async check({ get }, env) {
      const { body } = await get(`/api/quotes/${env['QUOTE_ID']}/attachments`);
      assert.equal(body.length, 1);
    },
  },
  'files.md: Export quotes': { prints: /^quotes\.csv$/ },
  'files.md: Import clients and products': {
    prints: /^COMPLETED 2$/,
    async check({ get }) {
      assert.equal((await get('/api/clients')).body.total, 1);
    },
  },

  'languages.md: Languages': { prints: /^US en-US$/, shell: /"locale":"en-US"/ },
  'languages.md: Tax ids': { prints: /^GODE561231GR9: el dígito verificador del RFC no coincide$/ },

  'connectors.md: Subscribe': {
    prints: new RegExp(`^export HOOK_ID=${ID}$`),
    shell: NOTHING,
    async check({ get }, env) {
      assert.deepEqual((await get(`/api/webhooks/${env['HOOK_ID']}`)).body.events, ['quote.accepted']);
    },
  },
  'connectors.md: Show a sample': {
    prints: /^client\.created Laura Méndez$/,
    shell: /"event":"client\.created"/,
  },
  'connectors.md: Run an action': {
    prints: /^232 MXN$/,
    shell: /"reference":"2041"/,
    async check({ get }) {
      assert.equal((await get('/api/quotes?reference=2041')).body.total, 1);
    },
  },
  'connectors.md: Unsubscribe': {
    prints: /^true$/,
    shell: /^\{"ok":true\}$/,
    async check({ get }, env) {
      assert.equal((await get(`/api/webhooks/${env['HOOK_ID']}`)).status, 404);
    },
  },

  'automations.md: Create one': {
    prints: new RegExp(`^export AUTOMATION_ID=${ID}$`),
    shell: NOTHING,
    async check({ get }, env) {
      assert.equal((await get(`/api/automations/${env['AUTOMATION_ID']}`)).body.actions.length, 2);
    },
  },
  'automations.md: Test it': { prints: /^false: Recordatorio en 60 minutos: Llamar a Laura Méndez$/ },
  'automations.md: Read its runs': { prints: /^0 runs$/, shell: /"total":0/ },

  'webhooks.md: Subscribe': { prints: WEBHOOK, shell: NOTHING, check: hasWebhook },
  'webhooks.md: Test it': {
    prints: /^true 200$/,
    async check({ app }, env) {
      const { body } = await app.get(new URL(env['ENDPOINT_URL'] ?? '').pathname, { Accept: 'application/json' });
      assert.equal(body.calls[0].headers['x-service-event'], 'webhook.test');
    },
  },
  'webhooks.md: Inspect deliveries': {
    prints: new RegExp(`^export DELIVERY_ID=${ID}$`),
    shell: NOTHING,
  },
  'webhooks.md: Inspect deliveries (2)': { prints: /^webhook\.test 200$/ },
  'webhooks.md: Replay': {
    prints: new RegExp(`^${ID}$`),
    shell: new RegExp(`"id":"${ID}"`),
    async check({ app }, env) {
      await eventually(async () => {
        const { body } = await app.get(new URL(env['ENDPOINT_URL'] ?? '').pathname, { Accept: 'application/json' });
        const ids = (body.calls as { headers: Record<string, string> }[]).map(({ headers }) => headers['webhook-id']);
        assert.equal(ids.length, 2);
        assert.equal(ids[0], ids[1]);
      });
    },
  },
  'webhooks.md: Rotate the secret': {
    prints: new RegExp(`^export WEBHOOK_SECRET=${SECRET}$`),
    shell: NOTHING,
  },
};
