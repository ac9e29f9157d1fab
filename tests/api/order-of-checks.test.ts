import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import type { Route } from '../../api/route.ts';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';

/**
 * The order is 401 → 403 role → 403 plan → 400 invalid → 404 record → state. The permission matrix tests 401 and both
 * 403; this file tests the order of the others for every declared route.
 */
describe('The order of checks, on every route', () => {
  let app: Service;
  let owner: Credential;
  let routes: readonly Route[];
  before(async () => {
    app = await service();
    owner = (await build.business()).owner;
    routes = apiRoutes(app.deps).filter(({ access, path }) => access !== 'public' && path.includes(':'));
  });

  const pathOf = ({ path }: Route) => path.replace(':event', 'quote.created').replaceAll(/:\w+/g, newId());
  const nameOf = ({ method, path }: Route) => `${method} ${path}`;
  const send = async (route: Route, options: { body?: unknown; query?: string } = {}) => {
    const { body, query = '' } = options;
    const res = await app.request(route.method, pathOf(route) + query, { headers: owner, ...(body ? { body } : {}) });
    return `${res.status} ${res.body?.code}`;
  };
  const responses = async (chosen: readonly Route[], ask: (route: Route) => Promise<string>) => {
    const seen: Record<string, string> = {};
    for (const route of chosen) seen[nameOf(route)] = await ask(route);
    return seen;
  };
  const all = (chosen: readonly Route[], response: string) =>
    Object.fromEntries(chosen.map((route) => [nameOf(route), response]));

  it('answers 400 to a body that is not an object, before 404', async () => {
    const withBody = routes.filter(({ body, upload }) => body && !upload);

    assert.deepEqual(await responses(withBody, (route) => send(route, { body: [] })), all(withBody, '400 invalid'));
    assert.ok(withBody.length > 10);
  });

  it('answers 400 «JSON inválido» to malformed JSON, before 404', async () => {
    const withBody = routes.filter(({ body, upload }) => body && !upload);

    assert.deepEqual(await responses(withBody, (route) => send(route, { body: '{' })), all(withBody, '400 invalid'));
  });

  it('answers 400 to page=0, before 404', async () => {
    const paged = routes.filter(({ query = {} }) => 'properties' in query && 'page' in Object(query.properties));

    assert.deepEqual(await responses(paged, (route) => send(route, { query: '?page=0' })), all(paged, '400 invalid'));
    assert.ok(paged.length > 1);
  });
});
