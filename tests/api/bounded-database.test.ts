import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { eventually } from '../eventually.ts';
import * as build from './build.ts';
import { ownService, type Service } from './service.ts';

/** More than the socket buffers of both sides, so that backpressure stops the stream. */
const QUOTES = 3_000;
const NOTE_LENGTH = 10_000;
const POOL = 4;

describe('Database resources of a request', () => {
  let app: Service;
  let own: build.Business;
  let other: build.Business;

  before(async () => {
    app = await ownService({ DATABASE_POOL: String(POOL) });
    own = await build.business();
    other = await build.business();
    await build.quote(own.owner);
    await app.deps.withTenant(own.tenantId, (trx) =>
      trx.raw(
        `insert into quotes (id, tenant_id, quote_number, client_id, client_contact_name, user_id, currency, tax_rate,
           subtotal, tax, shipping_cost, total, expires_at, public_token_hash, public_token_sealed, notes)
         select id || n, tenant_id, n, client_id, client_contact_name, user_id, currency, tax_rate, subtotal, tax,
           shipping_cost, total, expires_at, public_token_hash || n, public_token_sealed, repeat('x', ?)
         from quotes, generate_series(2, ?) n where tenant_id = ?`,
        [NOTE_LENGTH, QUOTES, own.tenantId],
      ),
    );
  });

  it('a statement of more than five seconds answers 503', async () => {
    const { id } = await build.client(other.owner);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isLocked = (): void => undefined;
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve;
    });
    const holding = app.deps.withTenant(other.tenantId, async (trx) => {
      await trx('clients').where({ id }).forUpdate();
      isLocked();
      await released;
    });
    await locked;

    const began = performance.now();
    const res = await app.patch(`/api/clients/${id}`, { contactName: 'Laura' }, other.owner);
    const ms = performance.now() - began;

    release();
    await holding;
    assert.equal(res.status, 503);
    assert.ok(ms >= 4_900 && ms < 8_000, `${ms} ms`);
  });

  describe('during a stream to a client that reads nothing', () => {
    const responses: IncomingMessage[] = [];
    const stalled = async (path: string) => {
      const asking = get(app.url + path, { headers: own.owner });
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      responses.push(response.pause());
      return response.statusCode;
    };
    const openConnections = () =>
      app.deps.withTenant(other.tenantId, async (trx) => {
        const { rows } = await trx.raw<{ rows: readonly { open: number }[] }>(
          `select count(*)::int as open from pg_stat_activity
            where usename = current_user and pid <> pg_backend_pid() and xact_start < now() - interval '300 ms'`,
        );
        return rows[0]?.open;
      });
    const end = () => {
      for (const response of responses.splice(0)) response.destroy();
    };
    afterEach(end);

    it('holds no transaction and no connection', async () => {
      const statuses = [await stalled('/api/quotes/export.csv'), await stalled('/api/pipeline')];

      assert.deepEqual(statuses, [200, 200]);
      await eventually(async () => assert.equal(await openConnections(), 0), 5_000);
    });

    it('the fifth stream of a tenant answers 429 «Demasiadas solicitudes», another tenant is served', async () => {
      const paths = ['/api/quotes/export.csv', '/api/pipeline', '/api/quotes/export.csv', '/api/pipeline'];
      const statuses = [];
      for (const path of paths) statuses.push(await stalled(path));

      const fifth = await app.get('/api/quotes/export.csv', own.owner);
      const others = await app.get('/api/quotes/export.csv', other.owner);

      assert.deepEqual(statuses, [200, 200, 200, 200]);
      assert.deepEqual([fifth.status, fifth.body.error], [429, 'Demasiadas solicitudes']);
      assert.equal(fifth.body.reason, 'stream_limit_reached');
      assert.equal(fifth.headers.get('retry-after'), '10');
      assert.equal(others.status, 200);
      end();
      await eventually(async () => assert.equal((await app.get('/api/quotes/export.csv', own.owner)).status, 200));
    });

    it('HEAD requests release their streams', async () => {
      const head = () => app.request('HEAD', '/api/quotes/export.csv', { headers: other.owner });
      for (let time = 0; time < 5; time += 1) assert.equal((await head()).status, 200);
    });
  });
});
