import assert from 'node:assert/strict';
import { residentBytes } from '../../bench/lib/cpu.ts';
import { eventually } from '../eventually.ts';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { otherWorker } from '../journey/other-worker.ts';
import { HOSTILE_KINDS, OTHER_KINDS, type ReceiverKind, type Serving } from './receiver-kinds.ts';
import { isLong, report } from './report.ts';

/** Deliveries of each kind that memory is measured with: so many endpoints with so many events each. */
const CROWD = isLong() ? { endpoints: 10, events: 5 } : { endpoints: 3, events: 2 };
const MAX_GROWTH_MB = 50;
const WELL = OTHER_KINDS.find(({ name }) => name === '204');
/** Milliseconds until all of a kind has ended: a call may take ten seconds, and eight of a tenant are under way. */
const MAX_DURATION_MS = 60_000 + (CROWD.endpoints * CROWD.events * 2 * 15_000) / 8;

interface World {
  readonly kind: ReceiverKind;
  readonly business: Business;
  readonly serving: Serving;
  readonly webhookIds: readonly string[];
}

describe('Endpoints of every kind', function receivers() {
  this.timeout(120_000);
  let service: Installation;
  let worker: Awaited<ReturnType<typeof otherWorker>>;
  const open: Serving[] = [];

  before(async () => {
    service = await installation();
    worker = await otherWorker(service);
  });
  after(async () => {
    await Promise.all(open.map((serving) => serving.close()));
    await worker.giveBack();
  });

  /** A business of its own for each kind, since those of one business share what may be under way. */
  async function prepare(kinds: readonly ReceiverKind[], endpoints: number): Promise<readonly World[]> {
    return Promise.all(
      kinds.map(async (kind) => {
        const [business, serving] = await Promise.all([register(service), kind.serve()]);
        open.push(serving);
        const webhookIds: string[] = [];
        for (let i = 0; i < endpoints; i += 1) {
          const target = { url: serving.url, events: ['product.created'] };
          const res = await service.http.post('/api/webhooks', target, business.owner);
          assert.equal(res.status, 201, JSON.stringify(res.body));
          webhookIds.push(res.body.id);
        }
        return { kind, business, serving, webhookIds };
      }),
    );
  }
  const happen = (worlds: readonly World[]) =>
    Promise.all(
      worlds.map(async ({ business }) => {
        const res = await service.http.post('/api/products', { name: 'Silla', unitPrice: 100 }, business.owner);
        assert.equal(res.status, 201);
      }),
    );
  /** All deliveries of a kind, none of which waits any more. A webhook that was switched off hears of no later event. */
  const endOf = ({ kind, business, webhookIds }: World, events: number) =>
    eventually(async () => {
      const rows = await service.rows(
        `select d.id, d.status, d.status_code, d.error_code, d.response_body, d.due_at, d.delivered_at is not null as delivered,
                array_agg(a.status_code order by a.number) as codes, array_agg(a.error_code order by a.number) as errors,
                array_agg(a.response_body order by a.number) as bodies,
                extract(epoch from (array_agg(a.started_at order by a.number))[2] - (array_agg(a.finished_at order by a.number))[1])
                  * 1000 as "pauseMs"
           from webhook_deliveries d left join webhook_attempts a on a.tenant_id = d.tenant_id and a.delivery_id = d.id
          where d.tenant_id = $1 group by d.id`,
        business.tenantId,
      );
      const all = webhookIds.length * (kind.statusCode === 410 ? 1 : events);
      assert.ok(rows.length >= all && rows.every(({ status }) => status !== 'PENDING'), `${kind.name} has not ended`);
      return rows;
    }, MAX_DURATION_MS);

  describe('one delivery to', () => {
    let worlds: readonly World[];
    before(async () => {
      worlds = await prepare([...HOSTILE_KINDS, ...OTHER_KINDS], 1);
      await happen(worlds);
    });

    for (const { name, status, statusCode, errorCode, body, attempts } of [...HOSTILE_KINDS, ...OTHER_KINDS]) {
      it(`«${name}» ends ${status} with ${statusCode} ${errorCode ?? ''} after ${attempts} calls`, async () => {
        const world = worlds.find(({ kind }) => kind.name === name);
        assert.ok(world, 'prepared');

        const [row] = await endOf(world, 1);

        const { id: _id, pauseMs, ...found } = row ?? {};
        const each = <T>(value: T): T[] => Array.from({ length: attempts }, () => value);
        assert.deepEqual(found, {
          status,
          status_code: statusCode,
          error_code: errorCode,
          response_body: body,
          due_at: null,
          delivered: status === 'DELIVERED',
          codes: each(statusCode),
          errors: each(errorCode),
          bodies: each(body),
        });
        assert.equal(world.serving.forbidden(), 0);
        // One second, a fifth less at least; not looked at where there was none.
        assert.ok(Number(pauseMs ?? 1_000) >= 790, `${String(pauseMs)} ms`);
      });
    }

    it('«410» switches its webhook off, and no other kind does', async () => {
      const ids = worlds.flatMap(({ webhookIds }) => webhookIds);
      const off = await service.rows('select id from webhooks where id = any($1) and not is_active', ids);
      const gone = worlds.find(({ kind }) => kind.name === '410');

      assert.deepEqual(
        off.map(({ id }) => id),
        gone?.webhookIds,
      );
    });
  });

  describe('many deliveries to each hostile kind', () => {
    it(`all end, and the worker takes ${MAX_GROWTH_MB} MB more at most`, async function crowd() {
      this.timeout(MAX_DURATION_MS + 60_000);
      // As many deliveries to endpoints that are well come first: what runs take and keep is not what is asked here.
      assert.ok(WELL);
      const well = await prepare(Array<ReceiverKind>(HOSTILE_KINDS.length).fill(WELL), CROWD.endpoints);
      const memory = watchMemory(worker.pid);
      for (let event = 0; event < CROWD.events; event += 1) await happen(well);
      await Promise.all(well.map((world) => endOf(world, CROWD.events)));
      const before = memory.most();
      const worlds = await prepare(HOSTILE_KINDS, CROWD.endpoints);

      for (let event = 0; event < CROWD.events; event += 1) await happen(worlds);
      const ended = await Promise.all(worlds.map((world) => endOf(world, CROWD.events)));

      const growthMb = memory.most() - before;
      memory.stop();
      const deliveries = ended.flat().length;
      await report({
        fault: `F10 ${HOSTILE_KINDS.length} kinds of hostile receivers`,
        times: deliveries,
        kills: 0,
        invariants: 'each ends in its right state; memory of the worker',
        result: `${growthMb} MB more at most than as many healthy ones take`,
        lost: 0,
        doubled: 0,
      });
      assert.ok(growthMb <= MAX_GROWTH_MB, `${growthMb} MB more over ${deliveries} deliveries`);
    });
  });
});

/** Looks twice a second how much of a process is in memory. */
function watchMemory(pid: number) {
  const resident = () => residentBytes(pid) / 2 ** 20;
  let most = resident();
  const sampling = setInterval(() => (most = Math.max(most, resident())), 500);
  return {
    /** The most so far. MB. */
    most: () => Math.round(most),
    stop: () => clearInterval(sampling),
  };
}
