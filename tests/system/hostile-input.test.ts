import assert from 'node:assert/strict';
import { apiRoutes, pageRoutes } from '../../api/app.ts';
import { consolePages } from '../../api/console/routes.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import {
  boundMs,
  MIN_BOUND_MS,
  type Document,
  type HostileRequest,
  type HostileRoute,
  hostileRequests,
  routesOf,
} from '../../bench/lib/hostile.ts';
import { longestTurnOnce, mainThreadNs } from '../../bench/lib/longest-turn.ts';
import { type World, world } from '../api/matrix-world.ts';
import { rawRequest } from '../api/raw-http.ts';
import { type Credential, type Service, service } from '../api/service.ts';

/**
 * The cost of a refused request must be linear in its size. The API runs in the main thread of this process. A sampler
 * in the same thread measures the CPU time between two iterations of the event loop (bench/lib/longest-turn.ts). Wall
 * time would include other processes, and `process.cpuUsage` the worker threads. The client's share is included, but it
 * only writes prepared bytes. Values above the limit are measured twice more and the minimum counts, because garbage
 * collection and other processes only increase them.
 */
const TIMES = 3;

/**
 * Of the value in a single member. A cost that is not linear shows with it, too: squared it would be minutes. Values as
 * large as the whole body are sent to each route, and to each member by `npm run bench -- hostile`.
 */
const MEMBER_BYTES = 256 * 1024;

/** Refusals, and the statuses of requests whose hostile part was dropped or never read. */
const MEANT = new Set([200, 201, 303, 304, 400, 401, 403, 404, 409, 413, 415, 422]);

const cpuMs = (work: () => void): number => {
  const before = mainThreadNs();
  work();
  return (mainThreadNs() - before) / 1e6;
};

describe('Cost of hostile input on every route', function () {
  this.timeout(300_000);
  let app: Service;
  let mine: World;
  let routes: readonly HostileRoute[];
  before(async () => {
    app = await service();
    mine = await world({ plan: 'PRO' });
    const document = openApiDocument(apiRoutes(app.deps), app.deps.config.PUBLIC_URL) as Document;
    routes = routesOf(document);
  });

  /** Problems of a request: an unexpected status, or too much CPU time of the main thread. */
  async function problems(request: HostileRequest, as: Credential): Promise<readonly string[]> {
    const { method } = request.route;
    const headers = { ...as, ...request.headers };
    let least = Infinity;
    let status = 0;
    for (let time = 0; time < TIMES && least > MIN_BOUND_MS; time += 1) {
      const stretch = await longestTurnOnce(async () => {
        ({ status } = await rawRequest(app.url + request.path, {
          method,
          headers,
          ...(request.body && { body: request.body }),
        }));
      });
      least = Math.min(least, stretch);
    }
    const bound = least > MIN_BOUND_MS ? boundMs(request, cpuMs) : MIN_BOUND_MS;
    const name = `${request.route.name}, ${request.what}`;
    return [
      ...(least > bound ? [`${name}: ${least.toFixed(0)} ms of ${bound.toFixed(0)}`] : []),
      ...(MEANT.has(status) ? [] : [`${name}: ${status}`]),
    ];
  }

  async function problemsOf(chosen: readonly HostileRoute[], as: Credential): Promise<readonly string[]> {
    const found: string[] = [];
    let sent = 0;
    for (const route of chosen) {
      for (const request of hostileRequests(route, MEMBER_BYTES)) {
        found.push(...(await problems(request, as)));
        sent += 1;
      }
    }
    assert.ok(sent > chosen.length * 20, `${sent} requests`);
    return found;
  }

  it('public routes without credentials refuse it within the time limit', async () => {
    assert.deepEqual(
      await problemsOf(
        routes.filter(({ isPublic }) => isPublic),
        {},
      ),
      [],
    );
  });

  it('protected routes without credentials refuse it within the time limit', async () => {
    assert.deepEqual(
      await problemsOf(
        routes.filter(({ isPublic }) => !isPublic),
        {},
      ),
      [],
    );
  });

  it('protected routes with a key refuse it within the time limit', async () => {
    assert.deepEqual(
      await problemsOf(
        routes.filter(({ isPublic }) => !isPublic),
        mine.owner.key,
      ),
      [],
    );
  });

  it('every route with a body answers 413 to one byte more than its limit', async () => {
    const responses: Record<string, number> = {};
    const { cookie } = mine.owner;
    for (const { method, path, form, maxBytes, isPublic, name } of routes) {
      if (form !== 'json' && form !== 'urlencoded') continue;
      const type = form === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
      const headers = {
        'Content-Type': type,
        'Sec-Fetch-Site': 'same-origin',
        ...(isPublic ? {} : path.startsWith('/api/auth/') ? cookie : mine.owner.key),
      };
      const res = await rawRequest(app.url + path, { method, headers, body: ' '.repeat(maxBytes + 1) });
      if (res.status !== 413) responses[name] = res.status;
    }

    assert.deepEqual(responses, {});
  });

  it('the test covers every page with parameters or a form', () => {
    const pages = pageRoutes(app.deps, apiRoutes(app.deps))
      .stack.filter(({ path, methods }) => String(path).includes(':') || methods.includes('POST'))
      .flatMap(({ path, methods }) =>
        methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
      );

    // Their forms are read by one function.
    const ofConsole = new Set(consolePages(app.deps).map(({ path }) => path));
    const sent = routes.map(({ name }) => name.replaceAll(/\{(\w+)\}/g, ':$1'));
    assert.deepEqual(
      pages.filter((page) => !sent.includes(page) && !ofConsole.has(page.replace(/^\S+ /, ''))),
      [],
    );
    assert.ok(pages.length >= 8);
  });
});
