import assert from 'node:assert/strict';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

const URL = 'https://example.com/';
const AUTOMATION = {
  name: 'Aviso',
  trigger: 'QUOTE_CREATED',
  actions: [{ type: 'send_notification', title: 'Nueva', body: 'Una cotización' }],
} as const;

type Rows = (business: build.Business) => object;
const webhook: Rows = ({ tenantId }) => ({
  id: newId(),
  tenantId,
  url: URL,
  events: ['quote.created'],
  secretSealed: 'x',
  secretLast4: 'abcd',
});
const automation: Rows = ({ tenantId }) => ({
  id: newId(),
  tenantId,
  ...AUTOMATION,
  isActive: true,
  conditions: '[]',
  actions: JSON.stringify(AUTOMATION.actions),
  delayMinutes: 0,
});
const apiKey: Rows = ({ tenantId, userId }) => {
  const { hash, prefix, last4 } = newApiKey();
  return { id: newId(), tenantId, userId, name: 'prueba', hash, prefix, last4 };
};

const KINDS = [
  { path: '/api/webhooks', max: 50, named: 'webhooks', table: 'webhooks', row: webhook, body: { url: URL, events: ['quote.created'] } },
  { path: '/api/automations', max: 100, named: 'automatizaciones', table: 'automations', row: automation, body: AUTOMATION },
  { path: '/api/api-keys', max: 50, named: 'claves de API', table: 'api_keys', row: apiKey, body: { name: 'otra' } },
] as const; // prettier-ignore

const REASON_OF = {
  '/api/webhooks': 'webhook_limit_reached',
  '/api/automations': 'automation_limit_reached',
  '/api/api-keys': 'api_key_limit_reached',
} as const;

describe('Limits of records per business', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const holding = async ({ table, row }: Pick<(typeof KINDS)[number], 'table' | 'row'>, count: number) => {
    const business = await build.business();
    await app.deps.withTenant(business.tenantId, (trx) =>
      trx(table).insert(Array.from({ length: count }, () => row(business))),
    );
    return business;
  };
  const idsOf = async (path: string, business: build.Business): Promise<string[]> =>
    (await app.get(path, business.owner)).body.map(({ id }: { id: string }) => id);

  for (const kind of KINDS) {
    const { path, max, named, body } = kind;
    const sentence = `Se alcanzó el máximo de ${max} ${named}`;

    it(`concurrent requests to ${path} do not exceed ${max}`, async () => {
      const business = await holding(kind, max - 1);

      const responses = await Promise.all(Array.from({ length: 6 }, () => app.post(path, body, business.owner)));

      assert.deepEqual(
        responses.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 409, 409, 409, 409, 409],
      );
      assert.equal((await idsOf(path, business)).length, max);
    });

    it(`${path} answers 409 «${sentence}» beyond ${max}, per business, and accepts another after a deletion`, async () => {
      const business = await holding(kind, max);
      const [first] = await idsOf(path, business);
      const other = await build.business();

      await app.request('DELETE', `${path}/${first}`, { headers: business.owner });

      assert.equal((await app.post(path, body, other.owner)).status, 201);
      assert.equal((await app.post(path, body, business.owner)).status, 201);
      const res = await app.post(path, body, business.owner);
      assert.deepEqual([res.status, res.body.error, res.body.code], [409, sentence, 'conflict']);
      assert.equal(res.body.reason, REASON_OF[path]);
    });

    it(`existing records beyond ${max} at ${path} can be listed, read, changed and deleted`, async () => {
      const business = await holding(kind, max + 2);
      const [first, second] = await idsOf(path, business);
      const { owner: headers } = business;
      const one = `${path}/${first}`;
      const changes = {
        '/api/webhooks': () => app.request('PUT', one, { headers, body: { events: ['quote.sent'] } }),
        '/api/automations': () => app.patch(one, { name: 'Otro' }, headers),
        '/api/api-keys': () => app.request('DELETE', one, { headers }),
      };

      const changed = await changes[path]();
      const deleted = await app.request('DELETE', `${path}/${second}`, { headers });

      assert.deepEqual([changed.status, deleted.status], [200, 200]);
      assert.equal((await app.post(path, body, headers)).status, 409);
    });
  }

  it('connector hooks count as webhooks', async () => {
    const { owner } = await holding(KINDS[0], 49);
    const hook = () => app.post('/api/connector/hooks', { targetUrl: URL, event: 'quote.created' }, owner);

    const responses = [await hook(), await hook()];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.error]),
      [
        [201, undefined],
        [409, 'Se alcanzó el máximo de 50 webhooks'],
      ],
    );
    assert.equal((await app.post('/api/webhooks', KINDS[0].body, owner)).status, 409);
  });

  it('existing API keys beyond the limit stay valid', async () => {
    const business = await holding(KINDS[2], 51);
    const { as } = await build.member(business, { role: 'OWNER' });

    assert.equal((await app.get('/api/clients', as)).status, 200);
  });
});
