import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import * as build from './build.ts';
import { service } from './service.ts';

describe('empty query values', () => {
  it('count as absent on every route', async () => {
    const app = await service();
    const { owner } = await build.business();
    const routes = apiRoutes(app.deps).flatMap(({ method, path, query }) => {
      const names = query && 'properties' in query ? Object.keys(query.properties ?? {}) : [];
      return names.length > 0 ? [{ method, path: path.replace(/:\w+/g, 'c5tz6q8v0k3m9w2x7y4n1b0d'), names }] : [];
    });
    const outcomeOf = async (method: string, path: string) => {
      const { status, body } = await app.request(method, path, { headers: owner });
      return `${method} ${path.split('?')[0]} ${status} ${body?.reason ?? ''}`;
    };

    const outcomes = await Promise.all(
      routes.map(async ({ method, path, names }) => ({
        without: await outcomeOf(method, path),
        empty: await outcomeOf(method, `${path}?${names.map((name) => `${name}=`).join('&')}`),
      })),
    );

    assert.ok(routes.length > 15, `${routes.length} routes`);
    assert.deepEqual(
      outcomes.map(({ empty }) => empty),
      outcomes.map(({ without }) => without),
    );
    assert.ok(outcomes.some(({ empty }) => empty.endsWith(' 200 ')));
  });
});
