import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import type { Route } from '../../api/route.ts';
import { brokenFor } from './broken-business.ts';
import { withIds, type World, world } from './matrix-world.ts';
import { sampleOf } from './sample-request.ts';
import { type Service, service } from './service.ts';

/**
 * Replaces each parameter and each member of a valid request to each declared route by typical malformed values. The
 * response must never be a 500.
 */

/** JSON.parse reads it as Infinity, which JSON.stringify cannot write. */
const ENDLESS = '\u{1f}1e309\u{1f}';
const HOSTILE: readonly unknown[] = [
  -1,
  1.5,
  1e20,
  Number.MIN_VALUE,
  ENDLESS,
  true,
  null,
  [],
  ['x'],
  {},
  '',
  'NaN',
  '\u0000',
  '\ud800',
  '%',
  '_',
  '\\',
  '2026-02-31',
  '2026-12-31T23:59:60Z',
  'x'.repeat(10_000),
  '__proto__',
];
const HOSTILE_TEXTS = HOSTILE.filter((value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value)).map(String);
const IN_PATHS = HOSTILE_TEXTS.filter((text) => text.trim() !== '');

/** All copies of a value with one member, at any depth, replaced. */
function* corrupted(value: unknown, bad: unknown): Generator {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const withMember = (other: unknown) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    yield withMember(bad);
    for (const inner of corrupted(member, bad)) yield withMember(inner);
  }
}

/** It filters as the CSV file does, and starts a process for each file. */
const isLikeCsv = ({ path }: Route) => path === '/api/quotes/export.xlsx';

describe('Malformed input on every route', () => {
  let app: Service;
  let mine: World;
  let routes: readonly Route[];
  /** Of a client without an e-mail address: a valid share of it is refused, and waits for no worker. */
  let unsharable: string;
  before(async () => {
    app = await service();
    mine = await world({ plan: 'PRO' });
    const client = await app.post('/api/clients', { contactName: 'Laura' }, mine.owner.key);
    const items = [{ productName: 'Silla', quantity: 1, unitPrice: 10 }];
    const quote = await app.post('/api/quotes', { clientId: client.body.id, items }, mine.owner.key);
    assert.equal(quote.status, 201);
    unsharable = quote.body.id;
    // Excluded: they have only texts, and password hashing is slow.
    routes = apiRoutes(app.deps).filter(({ access }) => access !== 'public');
  });

  const nameOf = ({ method, path }: Route) => `${method} ${path}`;
  const pathOf = ({ path }: Route) =>
    Object.entries(path.endsWith('/share') ? { ...mine.ids, 'quotes/:id': unsharable } : mine.ids)
      .reduce((left, [parameter, id]) => left.replace(parameter, `${parameter.split(':')[0]}${id}`), path)
      .replace(':event', 'quote.created');

  /** Requests with a 500 or without a response. */
  const broken = async (route: Route, path: string, body?: string): Promise<readonly string[]> => {
    const { status } = await app.request(route.method, path, {
      headers: mine.owner.key,
      ...(body !== undefined && { body }),
    });
    // A busy machine does not write the file in time.
    if (status === 503 && isLikeCsv(route)) return [];
    return status >= 500 ? [`${nameOf(route)}: ${status} to ${path.slice(0, 120)} ${body?.slice(0, 200) ?? ''}`] : [];
  };

  it('query: each hostile value of each parameter, and each repeated parameter, answers 200 or 4xx', async () => {
    const problems: string[] = [];
    let sent = 0;
    for (const route of routes.filter(({ query }) => query)) {
      // Query schemas are objects.
      const { properties } = route.query as unknown as { properties: Readonly<Record<string, object>> };
      for (const name of Object.keys(properties)) {
        const values = (isLikeCsv(route) ? ['%'] : HOSTILE_TEXTS)
          .filter((text) => text.length < 8_000)
          .map(encodeURIComponent);
        for (const query of [...values.map((value) => `${name}=${value}`), `${name}=1&${name}=2`, `${name}[]=1`]) {
          problems.push(...(await broken(route, `${pathOf(route)}?${query}`)));
          sent += 1;
        }
      }
    }

    assert.deepEqual(problems, []);
    assert.ok(sent > 500, `${sent} requests`);
  });

  it('path: each hostile value of each parameter answers 4xx', async () => {
    const problems: string[] = [];
    for (const route of routes) {
      for (const parameter of route.path.match(/:\w+/g) ?? []) {
        for (const text of IN_PATHS) {
          const path = pathOf({ ...route, path: route.path.replace(parameter, encodeURIComponent(text)) });
          problems.push(...(await broken(route, path, route.body && '{}')));
        }
      }
    }

    assert.deepEqual(problems, []);
  });

  it('body: each hostile value of each member answers 2xx or 4xx', async () => {
    const problems: string[] = [];
    let sent = 0;
    for (const route of routes.filter(({ body, upload }) => body && !upload)) {
      const sample = route.body && withIds(sampleOf(route.body), mine.ids);
      for (const bad of HOSTILE) {
        for (const body of [bad, ...corrupted(sample, bad)]) {
          const text = JSON.stringify(body).replaceAll(JSON.stringify(ENDLESS), '1e309');
          problems.push(...(await broken(route, pathOf(route), text)));
          sent += 1;
        }
      }
    }

    assert.deepEqual(problems, []);
    assert.ok(sent > 1_500, `${sent} requests`);
  });

  it('the check detects a 500', async () => {
    const disturbed = await brokenFor(mine, 'clients', 'no');
    const [create] = routes.filter((route) => nameOf(route) === 'POST /api/clients');
    assert.ok(create);

    const problems = await broken(create, '/api/clients', '{"contactName":"Laura"}');

    await disturbed.repair();
    assert.deepEqual(problems, ['POST /api/clients: 500 to /api/clients {"contactName":"Laura"}']);
  });
});
