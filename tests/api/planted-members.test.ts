import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { apiRoutes } from '../../api/app.ts';
import type { Route } from '../../api/route.ts';
import { newId } from '../../db/ids.ts';
import { allRows, type Parameter, withIds, type World, world } from './matrix-world.ts';
import { sampleOf } from './sample-request.ts';
import { type Service, service } from './service.ts';

const MARK = `plantado${newId()}`;
const NUMBER = 987_654_321;

/** Members that a body may try to set: columns of every table, by the names of their models. */
const planted = (other: World): Readonly<Record<string, unknown>> => ({
  tenantId: other.tenantId,
  id: `${MARK}id`,
  userId: other.ids['collaborators/:id'],
  creatorId: other.ids['collaborators/:id'],
  createdBy: MARK,
  role: 'OWNER',
  plan: 'PRO',
  slug: MARK,
  status: 'ACCEPTED',
  quoteNumber: NUMBER,
  version: NUMBER,
  viewCount: NUMBER,
  subtotal: NUMBER,
  tax: NUMBER,
  total: NUMBER,
  amount: NUMBER,
  publicToken: MARK,
  publicTokenHash: MARK,
  passwordHash: MARK,
  hash: MARK,
  secret: MARK,
  secretSealed: MARK,
  logoKey: MARK,
  storageKey: MARK,
  payload: MARK,
  createdAt: '1999-01-01T00:00:00.000Z',
  revokedAt: '1999-01-01T00:00:00.000Z',
  readAt: '1999-01-01T00:00:00.000Z',
  isSystem: true,
  __proto__: { isAdmin: true },
});

/** The sample with planted members that its schema does not name, at every depth. */
function withPlanted(value: unknown, schema: TSchema | undefined, extra: Readonly<Record<string, unknown>>): unknown {
  const { properties = {}, items } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly items?: TSchema;
  };
  if (Array.isArray(value)) return value.map((item) => withPlanted(item, items, extra));
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).map(([name, member]) => [name, withPlanted(member, properties[name], extra)]);
  const unknown = Object.entries(extra).filter(([name]) => !(name in properties) && !(name in value));
  return Object.fromEntries([...own, ...unknown]);
}

const SHARE = '/api/quotes/:id/share';
/** A share by mail would need Temporal. */
const LINK = { channel: 'link', message: 'Hola' };

/** E-mail addresses are unique, and another test may have invited the one of the samples. */
const withOwnAddress = (sample: unknown): unknown =>
  typeof sample === 'object' && sample !== null && 'email' in sample
    ? { ...sample, email: `${newId()}@persona.test` }
    : sample;

describe('Members that a body must not set', () => {
  let app: Service;
  let mine: World;
  let other: World;
  let routes: readonly Route[];
  before(async () => {
    app = await service();
    [mine, other] = [await world({ plan: 'PRO' }), await world({ plan: 'PRO' })];
    routes = apiRoutes(app.deps).filter(({ body, upload, access }) => body && !upload && access !== 'public');
  });

  const pathOf = ({ path }: Route) =>
    path.replaceAll(/([^/]+\/):(\w+)/g, (_all, segment: string, name: string) => {
      const parameter = `${segment}:${name}` as Parameter;
      return `${segment}${mine.ids[parameter]}`;
    });

  it('are not stored by any route and do not affect other businesses', async () => {
    const before = await allRows(other.tenantId);
    const outcomes: Record<string, number> = {};

    for (const route of routes) {
      const sample = route.path === SHARE ? LINK : withOwnAddress(withIds(sampleOf(route.body as TSchema), mine.ids));
      const body = withPlanted(sample, route.body, planted(other));
      const res = await app.request(route.method, pathOf(route), { headers: mine.owner.cookie, body });
      outcomes[`${route.method} ${route.path}`] = res.status;
    }

    const rows = await allRows(mine.tenantId);
    const traces = rows.filter(
      (row) => row.includes(MARK) || row.includes(String(NUMBER)) || row.includes('1999-01-01'),
    );
    assert.deepEqual(traces, []);
    assert.deepEqual(await allRows(other.tenantId), before);
    const unexpected = Object.entries(outcomes).filter(
      ([, status]) => status >= 500 || status === 401 || status === 403,
    );
    assert.deepEqual(unexpected, []);
    // Their samples need a state, a record, a password or a code that the business does not have.
    const refused = [
      'PATCH /api/labels/:id',
      'PATCH /api/quotes/:id/status',
      'POST /api/auth/change-password',
      'POST /api/auth/two-factor/disable',
      'POST /api/auth/two-factor/enable',
      'POST /api/auth/two-factor/recovery-codes',
      'POST /api/auth/two-factor/setup',
      'POST /api/collaborators/:id/transfer',
    ];
    const notDone = Object.keys(outcomes).filter((name) => (outcomes[name] ?? 0) >= 300);
    assert.deepEqual(notDone.sort(), refused);
  });

  it('the check detects a stored marker', async () => {
    await app.post('/api/labels', { name: MARK.slice(0, 40), color: '#336699' }, mine.owner.cookie);

    assert.ok((await allRows(mine.tenantId)).some((row) => row.includes(MARK.slice(0, 40))));
  });
});
