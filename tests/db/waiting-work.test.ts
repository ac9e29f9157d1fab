import assert from 'node:assert/strict';
import { oldestWaiting } from '../../db/reads/waiting-work.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';
import { deliveryRow, insertWebhook } from './rows.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

describe('the age of the oldest delivery that could be dispatched', () => {
  // Asked over all businesses.
  let db: SeparateDatabase;
  let tenantId: string;
  let webhookId: string;

  before(async () => {
    db = await separateDatabase();
    tenantId = await db.tenant();
  });
  after(() => db.stop());
  beforeEach(async () => {
    await db.owner('webhook_deliveries').delete();
    webhookId = await insertWebhook(db.owner, tenantId);
  });

  const delivery = (ageS: number, fields: Readonly<Record<string, unknown>> = {}) =>
    db
      .owner('webhook_deliveries')
      .insert({ ...deliveryRow(tenantId, webhookId), created_at: secondsAgo(ageS), ...fields });
  /** In tens of seconds, rounded down: what the machine takes to look comes on top. */
  const waitsS = async () => Math.floor(((await oldestWaiting(db.dispatcher))['deliver'] ?? -10) / 10) * 10;

  it('is that of the oldest row that waits', async () => {
    await delivery(90);
    await delivery(70);

    assert.equal(await waitsS(), 90);
  });

  it('leaves out deliveries that are throttled at their endpoint', async () => {
    await delivery(100, { dispatched_at: new Date() });
    await delivery(90);

    assert.equal(await waitsS(), 0);
  });

  it('counts a first attempt while other deliveries of its tenant are in their retries', async () => {
    await delivery(100, { dispatched_at: new Date(), status_code: 500 });
    await delivery(90);

    assert.equal(await waitsS(), 90);
  });

  it('leaves out deliveries to an endpoint whose circuit is open, until a probe is due', async () => {
    const probeAt = (at: Date) =>
      db.owner('webhooks').where({ id: webhookId }).update({ consecutive_failures: 5, next_probe_at: at });
    await delivery(90);

    await probeAt(new Date(Date.now() + 60_000));
    assert.equal(await waitsS(), 0);

    await probeAt(secondsAgo(1));
    assert.equal(await waitsS(), 90);
  });

  it('counts a delivery whose dispatch failed', async () => {
    await delivery(100, { dispatched_at: new Date() });
    await delivery(90, { dispatch_failures: 1 });

    assert.equal(await waitsS(), 90);
  });
});
