import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { createPipelinedRead, type PipelinedRead } from '../../db/pipeline.ts';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { poolFigures } from '../../db/pool.ts';
import { isDatabaseUnavailable } from '../../db/unavailable.ts';
import { createWithTenant, type WithTenant } from '../../db/with-tenant.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import { testDatabase } from './database.ts';

const POOL = 4;
const ONE = [{ name: 'share-one', text: 'select 1 as one', values: [] }];

describe('a tenant’s share of the connection pool', function share() {
  this.timeout(20_000);
  let knex: Knex;
  let withTenant: WithTenant;
  let pipelinedRead: PipelinedRead;
  let release: () => void;
  let released: Promise<void>;

  before(async () => {
    const { urls } = await testDatabase();
    knex = connect({ url: urls.app, pool: POOL, applicationName: 'share-test' });
    withTenant = createWithTenant(knex, () => undefined);
    pipelinedRead = createPipelinedRead(knex);
  });
  beforeEach(() => {
    released = new Promise((resolve) => {
      release = resolve;
    });
  });
  afterEach(() => release());
  after(() => knex.destroy());

  /** Begins transactions that stay open until `release`. */
  const hold = (tenantId: string, count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => withTenant(tenantId, () => released)));
  const inUse = () => poolFigures(knex).inUse;

  it('is half of it; another tenant reads and writes without waiting', async () => {
    const greedy = hold(newId(), 3 * POOL);
    await eventually(() => assert.equal(inUse(), POOL / 2));

    const other = newId();
    const outcomes = await inTime(
      1_000,
      Promise.all([withTenant(other, (trx) => trx.raw('select 1')), pipelinedRead(other, ONE)]),
    );

    assert.deepEqual(outcomes[1], [[{ one: 1 }]]);
    assert.deepEqual([inUse(), poolFigures(knex).waiting], [POOL / 2, 0]);
    release();
    assert.ok((await greedy).every(({ status }) => status === 'fulfilled'));
  });

  it('counts transactions and one-round-trip reads together', async () => {
    const tenantId = newId();
    const holding = hold(tenantId, POOL / 2);
    await eventually(() => assert.equal(inUse(), POOL / 2));

    let isRead = false;
    const reading = pipelinedRead(tenantId, ONE).then(() => (isRead = true));
    await pipelinedRead(newId(), ONE);

    assert.equal(isRead, false);
    release();
    await Promise.all([holding, reading]);
    assert.equal(isRead, true);
  });

  it('is free again after a transaction that failed', async () => {
    const tenantId = newId();
    const bug = new Error('a bug');

    const failed = await Promise.allSettled(
      Array.from({ length: POOL }, () => withTenant(tenantId, () => Promise.reject(bug))),
    );

    assert.ok(failed.every((outcome) => outcome.status === 'rejected' && outcome.reason === bug));
    await inTime(1_000, pipelinedRead(tenantId, ONE));
  });

  it('rejects work as unavailable after waiting four seconds, and does not run it later', async () => {
    const tenantId = newId();
    const holding = hold(tenantId, POOL / 2);
    await eventually(() => assert.equal(inUse(), POOL / 2));
    let ran = false;

    const began = performance.now();
    const refused: unknown = await withTenant(tenantId, () => Promise.resolve((ran = true))).catch(
      (error: unknown) => error,
    );

    const ms = performance.now() - began;
    assert.ok(isDatabaseUnavailable(refused), String(refused));
    assert.ok(ms >= 3_900 && ms < 6_000, `${ms} ms`);
    release();
    await holding;
    await pipelinedRead(tenantId, ONE);
    assert.equal(ran, false);
  });
});
