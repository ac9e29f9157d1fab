import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('Unknown members of requests', () => {
  let app: Service;
  let business: build.Business;
  let clientId: string;
  before(async () => {
    app = await service();
    business = await build.business();
    ({ id: clientId } = await build.client(business.owner));
  });
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(method, path, { headers: { ...business.owner, ...headers }, ...(body === undefined ? {} : { body }) });
  const strict = { Prefer: 'handling=strict' };
  const ignored = (res: { headers: Headers }) => res.headers.get('X-Ignored-Members');

  it('are listed in X-Ignored-Members, and the request succeeds', async () => {
    const res = await send('POST', '/api/quotes', { clientId, items: [build.ITEM], discount: 10, taxRate: 0 });

    assert.deepEqual([res.status, ignored(res), res.body.total], [201, 'discount, taxRate', 232]);
  });

  it('are listed by path in arrays, nested settings and actions', async () => {
    const items = [build.ITEM, { ...build.ITEM, discount: 5, tax: { rate: 0 } }];
    const quote = await send('POST', '/api/quotes', { clientId, items });
    const settings = await send('PUT', '/api/settings', {
      pdfBranding: { color: '#000', fontFamily: 'Times' },
      bankInfo: { swift: 'X' },
    });
    const automation = await send('POST', '/api/automations', {
      name: 'Avisar',
      trigger: 'QUOTE_WON',
      conditions: [{ field: 'total', operator: 'gt', value: 1, unit: 'MXN' }],
      actions: [{ type: 'fire_webhook', url: 'https://example.com/x', headers: { 'X-Own': '1' }, method: 'PUT' }, { type: 'send_notification', title: 'a', body: 'b', to: 'x' }],
    }); // prettier-ignore

    assert.deepEqual([quote.status, ignored(quote)], [201, 'items.1.discount, items.1.tax']);
    assert.deepEqual([settings.status, ignored(settings)], [200, 'pdfBranding.color, bankInfo.swift']);
    assert.equal(ignored(automation), 'conditions.0.unit, actions.0.method, actions.1.to');
  });

  it('are listed for queries, on routes with and without query parameters', async () => {
    const [list, one, created] = await Promise.all([
      send('GET', '/api/quotes?estado=SENT&page=1'),
      send('GET', `/api/clients/${clientId}?expand=quotes`),
      send('POST', '/api/labels?dryRun=true', { name: 'Ruta' }),
    ]);

    assert.deepEqual([list.status, ignored(list)], [200, 'estado']);
    assert.deepEqual([one.status, ignored(one)], [200, 'expand']);
    assert.deepEqual([created.status, ignored(created)], [201, 'dryRun']);
  });

  it('are listed for routes without a body', async () => {
    const { id } = await build.quote(business.owner);

    const res = await send('POST', `/api/quotes/${id}/duplicate`, { discountPct: 10 });

    assert.deepEqual([res.status, ignored(res)], [201, 'discountPct']);
  });

  it('are escaped and cut to 1 KiB', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`miembro${i}-${'x'.repeat(40)}`, i]));
    const odd = await send('POST', '/api/labels', '{"name":"Ñandú","descripción, larga":1,"a\\r\\nSet-Cookie: x":2,"\\ud800":3}');
    const long = await send('POST', '/api/labels', { name: 'Larga', ...many });

    assert.equal(odd.status, 201);
    assert.equal(ignored(odd), 'descripci%C3%B3n%2C%20larga, a%0D%0ASet-Cookie%3A%20x, %EF%BF%BD');
    assert.equal(long.status, 201);
    const length = ignored(long)?.length ?? 0;
    assert.ok(length > 900 && length <= 1024, String(length));
  }); // prettier-ignore

  it('requests without unknown members, and maps with any key, get no header', async () => {
    const label = await send('POST', '/api/labels', { name: 'Sencilla' });
    const typed = await send('GET', '/api/quotes?status=SENT&page=1');

    assert.deepEqual([label.status, ignored(label), ignored(typed)], [201, null, null]);
  });

  const refused: readonly [method: string, path: string, body: object | undefined, error: string][] = [
    ['POST', '/api/labels', { name: 'Estricta', colour: '#fff' }, 'colour: miembro desconocido'],
    ['PUT', '/api/settings', { phone: '1', bankInfo: { iban: 'X' } }, 'bankInfo.iban: miembro desconocido'],
    ['GET', '/api/quotes?estado=SENT', undefined, 'estado: miembro desconocido'],
    ['POST', '/api/notifications/mark-all-read', { until: '2026' }, 'until: miembro desconocido'],
  ];
  for (const [method, path, body, error] of refused)
    it(`answer 400 «${error}» with Prefer: handling=strict on ${method} ${path}`, async () => {
      const res = await send(method, path, body, strict);

      assert.deepEqual([res.status, res.body.error, res.body.code], [400, error, 'invalid']);
      assert.equal(res.headers.get('Preference-Applied'), 'handling=strict');
    });

  it('with Prefer: handling=strict are refused without effects; requests without any succeed', async () => {
    const quote = { clientId, items: [{ ...build.ITEM, discount: 1 }] };
    const before = await app.get('/api/quotes', business.owner);

    const res = await send('POST', '/api/quotes', quote, strict);
    const right = await send('POST', '/api/quotes', { clientId, items: [build.ITEM] }, strict);

    assert.deepEqual(
      [res.status, res.body.details],
      [400, [{ path: 'items.0.discount', message: 'miembro desconocido' }]],
    );
    const after = await app.get('/api/quotes', business.owner);
    assert.deepEqual([right.status, after.body.total], [201, before.body.total + 1]);
  });

  for (const prefer of [
    'respond-async, handling=strict',
    'Handling="strict"; x=1',
    'handling=strict, handling=lenient',
  ])
    it(`are refused with Prefer: ${prefer}`, async () => {
      assert.equal((await send('POST', '/api/labels', { name: 'Otra', x: 1 }, { Prefer: prefer })).status, 400);
    });

  for (const prefer of ['handling=lenient', 'return=minimal', 'handling=lenient, handling=strict', 'strict'])
    it(`are ignored with Prefer: ${prefer}`, async () => {
      const res = await send('POST', '/api/labels', { name: prefer, x: 1 }, { Prefer: prefer });

      assert.deepEqual([res.status, ignored(res)], [201, 'x']);
    });
});
