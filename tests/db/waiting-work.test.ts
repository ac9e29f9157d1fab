import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { oldestWaiting } from '../../db/reads/waiting-work.ts';
import { type SeparateDatabase, separateDatabase } from './separate-database.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

describe('how long deliveries wait for their hand-over', () => {
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
    webhookId = newId();
    await db.owner('webhooks').insert({
      id: webhookId,
      tenant_id: tenantId,
      url: 'https://example.com/hook',
      events: ['product.created'],
      secret_sealed: 'x',
      secret_last4: 'last',
    });
  });

  const delivery = (ageS: number, fields: Readonly<Record<string, unknown>> = {}) =>
    db.owner('webhook_deliveries').insert({
      id: newId(),
      tenant_id: tenantId,
      webhook_id: webhookId,
      event: 'product.created',
      event_id: newId(),
      payload: '{}',
      created_at: secondsAgo(ageS),
      ...fields,
    });
  /** In tens of seconds, rounded down: what the machine takes to look comes on top. */
  const waitsS = async () => Math.floor(((await oldestWaiting(db.relay))['deliver'] ?? -10) / 10) * 10;

  it('is the age of the oldest that waits for a run', async () => {
    await delivery(90);
    await delivery(70);

    assert.equal(await waitsS(), 90);
  });

  it('leaves out what waits behind a batch that has deliveries for its webhook in its hands', async () => {
    await delivery(100, { batch_id: 'at work', handed_over_at: new Date() });
    await delivery(90);

    assert.equal(await waitsS(), 0);
  });

  it('counts what waited behind a batch once the batch is done with its webhook', async () => {
    const at = new Date();
    await delivery(100, {
      batch_id: 'done',
      handed_over_at: at,
      status: 'DELIVERED',
      delivered_at: at,
      completed_at: at,
    });
    await delivery(90);

    assert.equal(await waitsS(), 90);
  });

  it('counts a batch that was not started', async () => {
    await delivery(90, { batch_id: 'unheard of' });

    assert.equal(await waitsS(), 90);
  });

  it('counts what left a batch from when it left, whatever another batch does', async () => {
    await delivery(300, { batch_id: 'one', left_batch_at: secondsAgo(70) });
    await delivery(10, { batch_id: 'another', handed_over_at: new Date() });

    assert.equal(await waitsS(), 70);
  });
});
