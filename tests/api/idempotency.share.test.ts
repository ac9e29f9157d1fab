import assert from 'node:assert/strict';
import { IdempotencyKey } from '../../db/models/idempotency-key.ts';
import { eventually } from '../eventually.ts';
import * as build from './build.ts';
import { serviceWithoutWorker } from './idle-namespace.ts';
import { type Credential, ownService, type Service } from './service.ts';

const TAKEOVER_MS = 15_000;
/** A little before the net over every call answers (`api/deadline.ts`), and after a share gives up; milliseconds. */
const NET_MS = 9_600;

describe('Idempotency-Key on POST /api/quotes/:id/share, whose work is outside of the database', () => {
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
   * Sends what nobody works on. On a machine that stands still just as its wait ends the net over every call answers
   * instead of it; then it is sent again, as if its process had died.
   */
  const sendInVain = async (business: build.Business, id: string) => {
    const began = performance.now();
    const answer = await send(id, business.owner, 'k1');
    if (answer.body.code !== 'unavailable' || performance.now() - began < NET_MS) return answer;
    await startedAt(business, Date.now() - TAKEOVER_MS - 1_000);
    return send(id, business.owner, 'k1');
  };
  const rowOf = (business: build.Business): Promise<IdempotencyKey> =>
    eventually(async () => {
      const [row] = await attempts(business);
      return row ?? assert.fail('no attempt was written');
    });

  it('keeps a row of the attempt while it runs; «Solicitud en curso» meanwhile; share_pending keeps its id', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);

    const first = sendInVain(business, id);
    const running = await rowOf(business);
    const meanwhile = await send(id, business.owner, 'k1');
    const answer = await first;

    assert.equal(running.answerSealed, null);
    assert.deepEqual([meanwhile.status, meanwhile.body.error], [409, 'Solicitud en curso']);
    assert.ok(meanwhile.headers.get('retry-after'));
    assert.deepEqual([answer.status, answer.body.code], [503, 'share_pending']);
    assert.equal(answer.body.error, 'Servicio no disponible, intente más tarde');
    assert.equal(answer.headers.get('retry-after'), '5');
    // No worker has taken it yet, so which execution will is not known.
    assert.match(answer.body.run.workflowId, /^quote\.t-[a-z0-9]{8}\.COT-1$/);
    assert.equal(answer.body.run.runId, null);
    const [kept, ...more] = await attempts(business);
    assert.equal(more.length, 0);
    assert.deepEqual([kept?.attemptId, kept?.answerSealed], [running.attemptId, null]);

    // A repeat waits on that attempt again, instead of 409.
    const again = await sendInVain(business, id);
    assert.deepEqual([again.status, again.body.code], [503, 'share_pending']);
    assert.equal((await attempts(business))[0]?.attemptId, running.attemptId);
  });

  it('is taken over after 15 seconds, under the same attempt id, when its process died', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await send(id, business.owner, 'k1');
    const [left] = await attempts(business);

    await startedAt(business, Date.now() - TAKEOVER_MS + 4_000);
    const tooEarly = await send(id, business.owner, 'k1');
    await startedAt(business, Date.now() - TAKEOVER_MS - 1_000);
    const inTime = await sendInVain(business, id);

    assert.deepEqual([tooEarly.status, tooEarly.body.error], [409, 'Solicitud en curso']);
    assert.deepEqual([inTime.status, inTime.body.code], [503, 'share_pending']);
    assert.equal((await attempts(business))[0]?.attemptId, left?.attemptId);
  });

  it('keeps the attempt of share_pending when Temporal is away at the repeat: it may have been sent, and is not sent anew', async () => {
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

  it('answers 422 «Idempotency-Key usada con otro contenido» to another quote under the same key', async () => {
    const business = await build.business();
    const first = await build.quote(business.owner);
    const second = await build.quote(business.owner);
    await send(first.id, business.owner, 'k1');

    const res = await send(second.id, business.owner, 'k1');

    assert.deepEqual([res.status, res.body.error], [422, 'Idempotency-Key usada con otro contenido']);
  });

  it('keeps nothing of an attempt that was refused: the same key tries again', async () => {
    const business = await build.business();
    const { id: clientId } = await build.client(business.owner, { email: null });
    const { id } = await build.quote(business.owner, { clientId });

    const res = await send(id, business.owner, 'k1');

    assert.deepEqual([res.status, res.body.error], [400, 'El cliente no tiene correo electrónico']);
    assert.deepEqual(await attempts(business), []);
  });
});
