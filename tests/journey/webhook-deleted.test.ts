import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import * as build from '../api/build.ts';
import { receiver } from '../api/receiver.ts';
import { type Service, service } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { needs, testStack, testWorker } from '../stack.ts';

needs('temporal', 'storage', 'inbox');

/** A journey, since runs that wait, the dispatcher and the server's batch operations take part. */
describe('Deleting a webhook', () => {
  let app: Service;
  let connection: Connection;
  let temporal: Client;
  before(async () => {
    app = await service();
    await testWorker();
    const { address, namespace } = (await testStack()).temporal;
    connection = await Connection.connect({ address });
    temporal = new Client({ connection, namespace });
  });
  after(() => connection.close());

  const statuses = async (webhookId: string): Promise<readonly string[]> => {
    const found: string[] = [];
    const query = `WorkflowType = 'deliverWebhook' AND WebhookId = '${webhookId}'`;
    for await (const { status } of temporal.workflow.list({ query })) found.push(status.name);
    return found;
  };
  const refusing = () => receiver((res) => res.writeHead(500).end());
  const remove = (path: string, { owner }: build.Business) => app.request('DELETE', path, { headers: owner });

  /** Runs of that many deliveries, which wait for minutes after a failure. */
  async function waiting(webhookId: string, count: number) {
    await eventually(async () => {
      const found = await statuses(webhookId);
      assert.deepEqual([found.length, new Set(found)], [count, new Set(['RUNNING'])]);
    }, 30_000);
  }
  const ended = (webhookId: string) =>
    eventually(async () => assert.equal((await statuses(webhookId)).includes('RUNNING'), false), 30_000);

  it('ends the runs that wait to call it again, within seconds, and no run of another webhook', async () => {
    const business = await build.business();
    await using endpoint = await refusing();
    const make = () =>
      app.post('/api/webhooks', { url: endpoint.url, events: ['quote.created', 'client.created'] }, business.owner);
    const [{ body: deleted }, { body: kept }] = [await make(), await make()];
    await build.quote(business.owner);
    await build.quote(business.owner);
    await Promise.all([waiting(deleted.id, 4), waiting(kept.id, 4)]);

    const before = Date.now();
    assert.equal((await remove(`/api/webhooks/${deleted.id}`, business)).status, 200);
    await ended(deleted.id);

    assert.ok(Date.now() - before < 20_000, `${Date.now() - before} ms`);
    assert.deepEqual(new Set(await statuses(kept.id)), new Set(['RUNNING']));
  });

  it('ends them for a hook of a connector too', async () => {
    const business = await build.business();
    await using endpoint = await refusing();
    const hook = { targetUrl: endpoint.url, event: 'client.created' };
    const { body } = await app.post('/api/connector/hooks', hook, business.owner);
    await build.client(business.owner);
    await waiting(body.id, 1);

    assert.equal((await remove(`/api/connector/hooks/${body.id}`, business)).status, 200);

    await ended(body.id);
  });

  it('records nothing for the dispatcher when no run waits', async () => {
    const business = await build.business();
    await using endpoint = await receiver();
    const { body } = await app.post('/api/webhooks', { url: endpoint.url, events: ['quote.sent'] }, business.owner);

    await remove(`/api/webhooks/${body.id}`, business);

    const events = await app.deps.withTenant(business.tenantId, (trx) => trx('outboxEvents').select('type'));
    assert.deepEqual(events, []);
  });
});
