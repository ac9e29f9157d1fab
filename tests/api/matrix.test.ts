import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import { errorResponses } from '../../api/openapi/refusals.ts';
import type { Route } from '../../api/route.ts';
import { newId } from '../../db/ids.ts';
import { needs } from '../stack.ts';
import { form, pdf } from './attachment-files.ts';
import { effectsIn, type Parameter, PARAMETERS, withIds, type World, world } from './matrix-world.ts';
import { ACCESS, gateOf, isReadByKeys, NEEDS_VERIFIED_EMAIL } from './route-access.ts';
import { sampleOf } from './sample-request.ts';
import { type Credential, type Response, type Service, service } from './service.ts';

needs('temporal', 'storage');

/** Parameters that reference no record of a business. */
const PLAIN: Readonly<Record<string, string>> = {
  'triggers/:event': 'quote.created',
  'portal/:token': 'A'.repeat(43),
};

const parametersOf = ({ path }: Route): readonly string[] => path.match(/[^/]+\/:\w+/g) ?? [];
const isParameter = (name: string): name is Parameter => name in PARAMETERS;
const versioned = ({ path }: Route): boolean => !path.startsWith('/api/auth/');
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Ids for each parameter: an unknown one, and a malformed one. */
const missing = Object.fromEntries(Object.keys(PARAMETERS).map((parameter) => [parameter, newId()]));
const noIds = Object.fromEntries(Object.keys(PARAMETERS).map((parameter) => [parameter, "'--%25_"]));

const UNAUTHENTICATED = { status: 401, error: 'No autorizado', code: 'unauthenticated' };
const FORBIDDEN = { status: 403, error: 'Sin permisos', code: 'forbidden' };
const notFound = (parameter = '') => ({
  status: 404,
  error: isParameter(parameter) ? PARAMETERS[parameter] : '',
  code: 'not_found',
});

describe('Permission matrix: every declared route for every kind of caller', () => {
  let app: Service;
  let routes: readonly Route[];
  let guarded: readonly Route[];
  let mine: World;
  let other: World;
  let free: World;
  /** Its owner has not confirmed the address. */
  let unverified: World;

  before(async () => {
    app = await service();
    routes = apiRoutes(app.deps);
    guarded = routes.filter((route) => ACCESS[nameOf(route)] !== 'anybody');
    mine = await world({ plan: 'PRO' });
    other = await world({ plan: 'PRO' });
    free = await world({ plan: 'FREE' });
    unverified = await world({ plan: 'PRO', isVerified: false });
  });

  /** The path with ids of that business or of the collaborator's own records. */
  const pathOf = (route: Route, ids: Partial<Record<string, string>>, prefix = '/api/'): string =>
    parametersOf(route)
      .reduce((path, parameter) => {
        const [segment = ''] = parameter.split(':');
        return path.replace(parameter, segment + (ids[parameter] ?? PLAIN[parameter] ?? ''));
      }, route.path)
      .replace('/api/', prefix);

  const bodyOf = (route: Route, ids: Readonly<Record<string, string>>): object =>
    route.body && !route.upload ? { body: withIds(sampleOf(route.body), ids) } : {};

  /** Sends a request and checks that its response contains nothing of other businesses. */
  const ask = async (route: Route, path: string, as: Credential, whose: World | undefined, body: object = {}) => {
    const sent = route.upload ? { body: form(pdf()) } : body;
    const res = await app.request(route.method, path, { headers: as, ...sent });
    const text = `${res.bytes.toString('latin1')} ${JSON.stringify([...res.headers])} ${res.bytes.toString()}`;
    for (const business of [mine, other, free, unverified]) {
      if (business === whose) continue;
      const leak = business.canaries.find((canary) => text.includes(canary));
      if (leak !== undefined) assert.fail(`${nameOf(route)} answered ${res.status} with ${leak} of another business`);
    }
    return res;
  };

  const problemsOf = (route: Route, { status, body }: Response, expected: typeof UNAUTHENTICATED): string[] => {
    const response = `${status} ${body?.error} (${body?.code})`;
    const promised = `${expected.status} ${expected.error} (${expected.code})`;
    return response === promised ? [] : [`${nameOf(route)}: ${response} instead of ${promised}`];
  };

  /** A caller who passes the guards gets a declared status, not 401, 403 or 500. */
  const letThrough = (route: Route, { status, body }: Response): string[] => {
    const declared = new Set([...Object.keys(route.responses), ...Object.keys(errorResponses(route))]);
    const fine = declared.has(String(status)) && ![401, 403, 500].includes(status);
    return fine ? [] : [`${nameOf(route)}: ${status} ${JSON.stringify(body)}, which it does not declare`];
  };

  const each = async (list: readonly Route[], check: (route: Route) => Promise<readonly string[]>) => {
    const problems: string[] = [];
    for (const route of list) problems.push(...(await check(route)));
    assert.deepEqual(problems, []);
    assert.ok(list.length > 0);
  };

  /** Runs a check of refusals and verifies that it changed no row of these businesses. */
  const withoutEffect = async (worlds: readonly World[], check: () => Promise<void>) => {
    const before = await Promise.all(worlds.map(effectsIn));
    await check();
    assert.deepEqual(await Promise.all(worlds.map(effectsIn)), before);
  };

  it('lists the audience of every declared route and of no other', () => {
    assert.deepEqual(routes.map(nameOf).sort(), Object.keys(ACCESS).sort());
  });

  it('has a record for every parameter of every path', () => {
    const unknown = routes.flatMap((route) =>
      parametersOf(route).filter((parameter) => !isParameter(parameter) && !(parameter in PLAIN)),
    );

    assert.deepEqual(unknown, []);
  });

  const garbage = { key: { Authorization: 'Bearer svc_basura' }, cookie: { Cookie: 'quoting.session-token=basura' } };
  for (const [who, credential] of [
    ['no credential', () => ({})],
    ['a garbage key', () => garbage.key],
    ['a garbage cookie', () => garbage.cookie],
    ['an expired session', () => mine.dead.expiredSession],
    ['a revoked key', () => mine.dead.revokedKey],
    ['an expired key', () => mine.dead.expiredKey],
    ['a sign-in whose second factor is due', () => mine.dead.withoutSecondFactor],
    ['a deactivated user’s key', () => mine.dead.deactivated],
  ] as const) {
    it(`answers 401 «No autorizado» to ${who} under /api and /api/v1, before validation, and changes nothing`, () =>
      withoutEffect([mine], () =>
        each(guarded, async (route) => {
          const responses = [
            await ask(route, pathOf(route, mine.ids), credential(), undefined, bodyOf(route, mine.ids)),
            await ask(route, pathOf(route, missing), credential(), undefined),
            ...(versioned(route)
              ? [await ask(route, pathOf(route, mine.ids, '/api/v1/'), credential(), undefined)]
              : []),
          ];
          return responses.flatMap((res) => problemsOf(route, res, UNAUTHENTICATED));
        }),
      ));
  }

  it('answers 401 «No autorizado» under /api/v1 to a valid cookie of an owner', () =>
    each(guarded.filter(versioned), async (route) => {
      const res = await ask(route, pathOf(route, mine.ids, '/api/v1/'), mine.owner.cookie, mine);
      return problemsOf(route, res, UNAUTHENTICATED);
    }));

  it('has no routes of /api/auth under /api/v1', () =>
    each(
      guarded.filter((route) => !versioned(route)),
      async (route) => {
        const res = await ask(route, pathOf(route, mine.ids, '/api/v1/'), mine.owner.key, mine);
        return problemsOf(route, res, { status: 404, error: 'Ruta no encontrada', code: 'not_found' });
      },
    ));

  const ownersOnly = (route: Route): boolean => ACCESS[nameOf(route)] === 'owner';

  it('answers 403 «Sin permisos» to a collaborator on owners’ routes, even for own quotes, before validation, and changes nothing', () =>
    withoutEffect([mine, other], () =>
      each(guarded.filter(ownersOnly), async (route) => {
        const ids = { ...mine.ids, ...mine.collaboratorIds };
        const own = await ask(route, pathOf(route, ids), mine.collaborator, mine, bodyOf(route, ids));
        const foreign = await ask(route, pathOf(route, other.ids, '/api/v1/'), mine.collaborator, mine);
        return [own, foreign].flatMap((res) => problemsOf(route, res, FORBIDDEN));
      }),
    ));

  it('answers 403 «Sin permisos», not the 403 of the plan, to a FREE collaborator', () =>
    each(guarded.filter(ownersOnly), async (route) =>
      problemsOf(route, await ask(route, pathOf(route, free.ids), free.collaborator, free), FORBIDDEN),
    ));

  const gated = (route: Route): boolean => gateOf(nameOf(route)) !== undefined;

  it('answers 403 with the message of the feature to a FREE owner, before validation, and changes nothing', () =>
    withoutEffect([free, mine], () =>
      each(guarded.filter(gated), async (route) => {
        const expected = { status: 403, error: gateOf(nameOf(route)) ?? '', code: 'plan_required' };
        const own = await ask(route, pathOf(route, free.ids), free.owner.cookie, free, bodyOf(route, free.ids));
        const foreign = await ask(route, pathOf(route, mine.ids, '/api/v1/'), free.owner.key, free);
        return [own, foreign].flatMap((res) => problemsOf(route, res, expected));
      }),
    ));

  const forSessions = (route: Route): boolean => ACCESS[nameOf(route)] === 'session';

  it('answers 403 «Sin permisos» with scope_required to every key on routes of sessions, and changes nothing', () =>
    withoutEffect([mine], () =>
      each(guarded.filter(forSessions), async (route) => {
        const expected = { status: 403, error: 'Sin permisos', code: 'scope_required' };
        const owner = await ask(route, pathOf(route, mine.ids), mine.owner.key, mine, bodyOf(route, mine.ids));
        const collaborator = await ask(route, pathOf(route, mine.ids), mine.collaborator, mine);
        return [owner, collaborator].flatMap((res) => problemsOf(route, res, expected));
      }),
    ));

  it('answers 403 «Sin permisos» with scope_required to a key that only reads, on changes, links and keys, and changes nothing', () =>
    withoutEffect([mine], () =>
      each(
        guarded.filter((route) => !isReadByKeys(nameOf(route))),
        async (route) => {
          const expected = { status: 403, error: 'Sin permisos', code: 'scope_required' };
          const valid = await ask(route, pathOf(route, mine.ids), mine.owner.readKey, mine, bodyOf(route, mine.ids));
          const foreign = await ask(route, pathOf(route, other.ids), mine.owner.readKey, mine);
          return [valid, foreign].flatMap((res) => problemsOf(route, res, expected));
        },
      ),
    ));

  const mails = (route: Route): boolean => NEEDS_VERIFIED_EMAIL.has(nameOf(route));

  it('answers 403 with email_unverified on what reaches others or gives access, before validation, and changes nothing', () =>
    withoutEffect([unverified, mine], () =>
      each(guarded.filter(mails), async (route) => {
        const expected = {
          status: 403,
          error: 'Confirme su correo electrónico para continuar',
          code: 'email_unverified',
        };
        const { owner, ids } = unverified;
        const valid = await ask(route, pathOf(route, ids), owner.cookie, unverified, bodyOf(route, ids));
        const foreign = await ask(route, pathOf(route, mine.ids), owner.key, unverified);
        return [valid, foreign].flatMap((res) => problemsOf(route, res, expected));
      }),
    ));

  const ofRecords = (route: Route): boolean => !forSessions(route) && parametersOf(route).some(isParameter);

  it('answers the record’s 404 to the owner of another business, and changes nothing', () =>
    withoutEffect([mine, other], () =>
      each(guarded.filter(ofRecords), async (route) => {
        const [parameter] = parametersOf(route);
        const body = bodyOf(route, other.ids);
        const plain = await ask(route, pathOf(route, mine.ids), other.owner.cookie, other, body);
        const v1 = await ask(route, pathOf(route, mine.ids, '/api/v1/'), other.owner.key, other, body);
        return [plain, v1].flatMap((res) => problemsOf(route, res, notFound(parameter)));
      }),
    ));

  it('answers the same 404 for unknown and malformed ids, and changes nothing', () =>
    withoutEffect([mine], () =>
      each(guarded.filter(ofRecords), async (route) => {
        const [parameter] = parametersOf(route);
        const body = bodyOf(route, mine.ids);
        const never = await ask(route, pathOf(route, missing), mine.owner.cookie, mine, body);
        const text = await ask(route, pathOf(route, noIds), mine.owner.cookie, mine, body);
        return [never, text].flatMap((res) => problemsOf(route, res, notFound(parameter)));
      }),
    ));

  it('answers the 404 of a foreign or unknown record among two, and changes nothing', () =>
    withoutEffect([mine, other], () =>
      each(
        guarded.filter((route) => parametersOf(route).length > 1),
        async (route) => {
          const [first = '', second = ''] = parametersOf(route);
          const body = bodyOf(route, other.ids);
          const askWith = async (ids: Readonly<Record<string, string>>, parameter: string) =>
            problemsOf(
              route,
              await ask(route, pathOf(route, { ...other.ids, ...ids }), other.owner.cookie, other, body),
              notFound(parameter),
            );
          return [
            ...(await askWith({ [second]: mine.ids[second as Parameter] }, second)),
            ...(await askWith({ [second]: missing[second] ?? '' }, second)),
            ...(await askWith({ [first]: mine.ids[first as Parameter] }, first)),
          ];
        },
      ),
    ));

  const ofCreator = (route: Route): boolean => {
    const [parameter = ''] = parametersOf(route);
    return !ownersOnly(route) && parameter in mine.collaboratorIds;
  };

  it('answers the same 404 to a collaborator for another member’s, a foreign and a missing record, and changes nothing', () =>
    withoutEffect([mine, other], () =>
      each(guarded.filter(ofCreator), async (route) => {
        const [parameter] = parametersOf(route);
        const body = bodyOf(route, mine.ids);
        const problems: string[] = [];
        for (const ids of [mine.ids, other.ids, missing]) {
          const res = await ask(route, pathOf(route, ids), mine.collaborator, mine, body);
          problems.push(...problemsOf(route, res, notFound(parameter)));
        }
        return problems;
      }),
    ));

  const inOrder = (list: readonly Route[]) =>
    ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].flatMap((verb) => list.filter(({ method }) => method === verb));
  // These quotes must stay open, so they have no signature; quotes.evidence.test.ts covers the evidence.
  const open = (): readonly Route[] =>
    inOrder(guarded.filter((route) => !forSessions(route) && !/\/(signout|evidence)$/.test(route.path)));
  const reads = (route: Route): boolean => route.method === 'GET';

  it('answers 200 to every GET of an owner, by session, by key and by a key that only reads', () =>
    each(open().filter(reads), async (route) => {
      const session = await ask(route, pathOf(route, mine.ids), mine.owner.cookie, mine);
      const key = await ask(route, pathOf(route, mine.ids), mine.owner.key, mine);
      const readKey = isReadByKeys(nameOf(route))
        ? [await ask(route, pathOf(route, mine.ids), mine.owner.readKey, mine)]
        : [];
      return [session, key, ...readKey]
        .filter(({ status }) => status !== 200)
        .map((res) => `${nameOf(route)}: ${res.status} ${JSON.stringify(res.body)}`);
    }));

  it('the check detects a leak: the owner reads the marker and the ids', async () => {
    const [word = ''] = mine.canaries;
    const responses = await Promise.all(
      ['settings', 'quotes', 'clients', 'templates', 'automations', 'webhooks', 'notifications', 'reminders'].map(
        (path) => app.get(`/api/${path}`, mine.owner.cookie),
      ),
    );

    const without = responses.filter(({ bytes }) => !bytes.toString().includes(word));
    assert.deepEqual(
      without.map(({ body }) => body),
      [],
    );
    const detail = open().find(({ method, path }) => method === 'GET' && path === '/api/quotes/:id');
    assert.ok(detail);
    await assert.rejects(ask(detail, pathOf(detail, mine.ids), mine.owner.cookie, other), /of another business/);
  });

  it('answers 200 to every GET of a FREE owner without a plan gate', () =>
    each(
      open().filter((route) => reads(route) && !gated(route)),
      async (route) => {
        const res = await ask(route, pathOf(route, free.ids), free.owner.cookie, free);
        return res.status === 200 ? [] : [`${nameOf(route)}: ${res.status} ${JSON.stringify(res.body)}`];
      },
    ));

  it('lets an owner with an unconfirmed address use all other routes', () =>
    each(
      // The sample automation mails, which auth.verification.test.ts covers.
      open().filter((route) => !mails(route) && nameOf(route) !== 'POST /api/automations'),
      async (route) => {
        const { owner, ids } = unverified;
        return letThrough(route, await ask(route, pathOf(route, ids), owner.cookie, unverified, bodyOf(route, ids)));
      },
    ));

  it('answers 200 to every GET that a collaborator may use', () =>
    each(
      open().filter((route) => reads(route) && !ownersOnly(route)),
      async (route) => {
        const path = pathOf(route, { ...mine.ids, ...mine.collaboratorIds });
        const res = await ask(route, path, mine.collaborator, mine);
        return res.status === 200 ? [] : [`${nameOf(route)}: ${res.status} ${JSON.stringify(res.body)}`];
      },
    ));

  it('lets a collaborator pass the guards of permitted routes', () =>
    each(
      open().filter((route) => !reads(route) && !ownersOnly(route)),
      async (route) => {
        const ids = { ...mine.ids, ...mine.collaboratorIds };
        const res = await ask(route, pathOf(route, ids), mine.collaborator, mine, bodyOf(route, ids));
        return ofCreator(route) && res.status === 404
          ? [`${nameOf(route)}: ${res.status} ${JSON.stringify(res.body)}`]
          : letThrough(route, res);
      },
    ));

  it('lets a FREE owner pass the guards of routes without a plan gate', () =>
    each(
      open().filter((route) => !reads(route) && !gated(route)),
      async (route) =>
        letThrough(route, await ask(route, pathOf(route, free.ids), free.owner.key, free, bodyOf(route, free.ids))),
    ));

  it('lets an owner pass the guards of all routes, also under /api/v1', () =>
    each(
      open().filter((route) => !reads(route)),
      async (route) => {
        const prefix = versioned(route) ? '/api/v1/' : '/api/';
        return letThrough(
          route,
          await ask(route, pathOf(route, mine.ids, prefix), mine.owner.key, mine, bodyOf(route, mine.ids)),
        );
      },
    ));

  it('public routes pass all callers and reveal nothing of a business', () =>
    each(
      routes.filter((route) => ACCESS[nameOf(route)] === 'anybody'),
      async (route) => {
        const res = await ask(route, pathOf(route, mine.ids), {}, undefined, route.body ? { body: {} } : {});
        return res.status < 500 ? [] : [`${nameOf(route)}: ${res.status}`];
      },
    ));

  it('after all calls, owners of other businesses still get 200', async () => {
    assert.equal((await app.get('/api/settings', other.owner.cookie)).status, 200);
    assert.equal((await app.get('/api/settings', free.owner.cookie)).status, 200);
  });
});
