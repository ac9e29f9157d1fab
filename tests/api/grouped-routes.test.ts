import assert from 'node:assert/strict';
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { groupedRoutes } from '../../api/grouped-routes.ts';

const PATHS = ['/api/quotes', '/api/quotes/:id', '/api/quotes/export.csv', '/api/clients/:id'];

function routerOf(paths: readonly string[]): Router {
  const router = new Router();
  for (const path of paths) router.get(path, (ctx) => void (ctx.body = path));
  return router;
}

/** What a request leads to: the body, the parameters, the paths that matched, and whether the next middleware ran. */
async function outcome(serve: Middleware, path: string, method = 'GET') {
  let isPassedOn = false;
  // A router reads and sets nothing else of a context.
  const ctx = { path, method, host: '', request: {} } as unknown as Context & { matched?: readonly { path: string }[] };
  await serve(ctx as never, async () => void (isPassedOn = true));
  const { body, matched } = ctx;
  return { body, params: ctx['params'] as unknown, matched: matched?.map((layer) => layer.path), isPassedOn };
}

describe('grouped routes', () => {
  for (const [path, method] of [
    ['/api/quotes', 'GET'],
    ['/api/quotes/', 'GET'],
    ['/API/Quotes/q1', 'GET'],
    ['/api/quotes/export.csv', 'GET'],
    ['/api/clients/c1', 'GET'],
    ['/api/clients/c1', 'POST'],
    ['/api/clients', 'GET'],
    ['/api/nothing', 'GET'],
    ['/', 'GET'],
  ] as const) {
    it(`${method} ${path} leads where the router leads`, async () => {
      const plain = routerOf(PATHS).routes() as unknown as Middleware;

      const grouped = await outcome(groupedRoutes(routerOf(PATHS), 2), path, method);

      assert.deepEqual(grouped, await outcome(plain, path, method));
    });
  }

  it('a parameter within the common beginning is refused', () => {
    assert.throws(() => groupedRoutes(routerOf(['/api/:resource']), 2), /not literal/);
  });
});
