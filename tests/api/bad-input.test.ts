import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import { sampleOf } from '../../api/openapi/sample.ts';
import type { Route } from '../../api/route.ts';
import { brokenFor } from './broken-business.ts';
import { withIds, type World, world } from './matrix-world.ts';
import { type Service, service } from './service.ts';

/**
 * Every parameter and every member of every declared route, one after the other in the place of a good one, with what
 * people and scanners send. Whatever the answer is, it is one that the service meant: never a 500.
 */

/** Read by JSON.parse as Infinity; no value in JavaScript prints as it. */
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

/** All copies of a value in which one member, at any depth, is another. */
function* corrupted(value: unknown, bad: unknown): Generator {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const withMember = (other: unknown) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    yield withMember(bad);
    for (const inner of corrupted(member, bad)) yield withMember(inner);
  }
}

describe('Bad input, on every route', () => {
  let app: Service;
  let mine: World;
  let routes: readonly Route[];
  before(async () => {
    app = await service();
    mine = await world({ plan: 'PRO' });
    // Signing out and in has nothing to corrupt but texts, and hashing is slow on purpose.
    routes = apiRoutes(app.deps).filter(({ access }) => access !== 'public');
  });

  const nameOf = ({ method, path }: Route) => `${method} ${path}`;
  const pathOf = ({ path }: Route) =>
    Object.entries(mine.ids)
      .reduce((left, [parameter, id]) => left.replace(parameter, `${parameter.split(':')[0]}${id}`), path)
      .replace(':event', 'quote.created');

  /** What was answered with a 500, or with none at all. */
  const broken = async (route: Route, path: string, body?: string): Promise<readonly string[]> => {
    const { status } = await app.request(route.method, path, {
      headers: mine.owner.key,
      ...(body !== undefined && { body }),
    });
    return status >= 500 ? [`${nameOf(route)}: ${status} to ${path.slice(0, 120)} ${body?.slice(0, 200) ?? ''}`] : [];
  };

  it('in a query: 200 or 4xx to each parameter with each of them, and when it is given twice', async () => {
    const problems: string[] = [];
    let sent = 0;
    for (const route of routes.filter(({ query }) => query)) {
      // Objects are what queries are declared as.
      const { properties } = route.query as unknown as { properties: Readonly<Record<string, object>> };
      for (const name of Object.keys(properties)) {
        const values = HOSTILE_TEXTS.filter((text) => text.length < 8_000).map(encodeURIComponent);
        for (const query of [...values.map((value) => `${name}=${value}`), `${name}=1&${name}=2`, `${name}[]=1`]) {
          problems.push(...(await broken(route, `${pathOf(route)}?${query}`)));
          sent += 1;
        }
      }
    }

    assert.deepEqual(problems, []);
    assert.ok(sent > 500, `${sent} requests`);
  });

  it('in a path: 4xx to each parameter with each of them', async () => {
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

  it('in a body: 2xx or 4xx to each member with each of them', async () => {
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

  it('would see a 500', async () => {
    const disturbed = await brokenFor(mine, 'clients', 'no');
    const [create] = routes.filter((route) => nameOf(route) === 'POST /api/clients');
    assert.ok(create);

    const problems = await broken(create, '/api/clients', '{"contactName":"Laura"}');

    await disturbed.repair();
    assert.deepEqual(problems, ['POST /api/clients: 500 to /api/clients {"contactName":"Laura"}']);
  });
});
