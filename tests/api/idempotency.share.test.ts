import assert from 'node:assert/strict';
import { IdempotencyKey } from '../../db/models/idempotency-key.ts';
import { eventually } from '../eventually.ts';
import * as build from './build.ts';
import { serviceWithoutWorker } from './idle-namespace.ts';
import { type Credential, ownService, type Service } from './service.ts';

const TAKEOVER_MS = 15_000;
/** Between the timeout of a share and that of every request (`api/deadline.ts`). */
const REQUEST_TIMEOUT_MS = 9_600;

describe('Idempotency-Key on POST /api/quotes/:id/share', () => {
  let app: Service;
  before(async () => {
    app = await serviceWithoutWorker();
  });

  const send = (id: string, as: Credential, key: string) =>
    app.post(`/api/quotes/${id}/share`, undefined, { ...as, 'Idempotency-Key': key });
  const attempts = ({ tenantId }: build.Business) =>
    app.deps.withTenant(tenantId, (trx) => IdempotencyKey.query(trx).where({ tenantId }));
  const startedAt = ({ tenantId }: build.Business, at: number) =>
    app.deps.withTenant(tenantId, (trx) =>
      IdempotencyKey.query(trx)
        .where({ tenantId })
        .patch({ startedAt: new Date(at) }),
    );
  /**
   * Sends a share that no worker executes. If the machine stalls at the end of its wait, the timeout of every request
   * ends it instead; then it is sent again.
   */
  const sendWithoutWorker = async (business: build.Business, id: string) => {
    const began = performance.now();
    const response = await send(id, business.owner, 'k1');
    if (response.body.code !== 'unavailable' || performance.now() - began < REQUEST_TIMEOUT_MS) return response;
    await startedAt(business, Date.now() - TAKEOVER_MS - 1_000);
    return send(id, business.owner, 'k1');
  };
  const rowOf = (business: build.Business): Promise<IdempotencyKey> =>
    eventually(async () => {
      const [row] = await attempts(business);
      return row ?? assert.fail('no call was stored');
    });

  it('a running share answers «Solicitud en curso» to its key, and share_pending keeps the id of the call', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);

    const first = sendWithoutWorker(business, id);
    const running = await rowOf(business);
    const concurrent = await send(id, business.owner, 'k1');
    const response = await first;

    assert.equal(running.answerSealed, null);
    assert.deepEqual([concurrent.status, concurrent.body.error], [409, 'Solicitud en curso']);
    assert.ok(concurrent.headers.get('retry-after'));
    assert.deepEqual(
      [response.status, response.body.code, response.body.reason],
      [503, 'share_pending', 'share_pending'],
    );
    assert.equal(response.body.error, 'Servicio no disponible, intente más tarde');
    assert.equal(response.headers.get('retry-after'), '5');
    // No worker has accepted it, so its execution is unknown.
    assert.match(response.body.run.workflowId, /^quote\.t-[a-z0-9]{8}\.COT-1$/);
    assert.equal(response.body.run.runId, null);
    const [kept, ...more] = await attempts(business);
    assert.equal(more.length, 0);
    assert.deepEqual([kept?.attemptId, kept?.answerSealed], [running.attemptId, null]);

    // A repeated request waits for the same call again, instead of a 409.
    const again = await sendWithoutWorker(business, id);
    assert.deepEqual([again.status, again.body.code], [503, 'share_pending']);
    assert.equal((await attempts(business))[0]?.attemptId, running.attemptId);
  });

  it('after 15 seconds a repeated request takes over the call of a dead process with the same id', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await send(id, business.owner, 'k1');
    const [left] = await attempts(business);

    await startedAt(business, Date.now() - TAKEOVER_MS + 4_000);
    const tooEarly = await send(id, business.owner, 'k1');
    await startedAt(business, Date.now() - TAKEOVER_MS - 1_000);
    const inTime = await sendWithoutWorker(business, id);

    assert.deepEqual([tooEarly.status, tooEarly.body.error], [409, 'Solicitud en curso']);
    assert.deepEqual([inTime.status, inTime.body.code], [503, 'share_pending']);
    assert.equal((await attempts(business))[0]?.attemptId, left?.attemptId);
  });

  it('after share_pending, a repeated request without Temporal keeps the call and sends no second mail', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await send(id, business.owner, 'k1');
    const [pending] = await attempts(business);
    const away = await ownService({ TEMPORAL_ADDRESS: '127.0.0.1:1', LOG_LEVEL: 'silent' });

    const headers = { ...business.owner, 'Idempotency-Key': 'k1' };
    const repeated = await away.post(`/api/quotes/${id}/share`, undefined, headers);
    const first = await away.post(`/api/quotes/${id}/share`, undefined, { ...headers, 'Idempotency-Key': 'k2' });

    assert.deepEqual([repeated.status, repeated.body.code], [503, 'share_pending']);
    assert.deepEqual([first.status, first.body.code], [503, 'unavailable']);
    const kept = await attempts(business);
    assert.deepEqual(
      kept.map(({ attemptId }) => attemptId),
      [pending?.attemptId],
    );
  });

  it('answers 422 «Idempotency-Key usada con otro contenido» to the same key for another quote', async () => {
    const business = await build.business();
    const first = await build.quote(business.owner);
    const second = await build.quote(business.owner);
    await send(first.id, business.owner, 'k1');

    const res = await send(second.id, business.owner, 'k1');

    assert.deepEqual([res.status, res.body.error], [422, 'Idempotency-Key usada con otro contenido']);
  });

  it('a refused share stores nothing, so the same key can retry', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner, { email: null });
    const { id } = await build.quote(business.owner, { clientId });

    const res = await send(id, business.owner, 'k1');

    assert.deepEqual([res.status, res.body.error], [400, 'El cliente no tiene correo electrónico']);
    assert.deepEqual(await attempts(business), []);
  });
});
