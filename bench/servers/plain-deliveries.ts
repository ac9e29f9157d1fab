import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import pLimit from 'p-limit';
import { newId } from '../../db/ids.ts';
import { deliveryStart } from '../../worker/start-workflows.ts';

/**
 * Deliveries as the SDK's samples would make them: a client starts a workflow with one activity, which posts the body. The
 * same ids and attributes, no records. `GET /?count=2000` answers when all of them have ended.
 */

const TASK_QUEUE = 'plain-deliveries';
/** Starts and results that are waited for at the same time. */
const MAX_CONCURRENT = 40;

const address = process.env['TEMPORAL_ADDRESS'] ?? '';
const [url, body] = [process.env['SINK_URL'] ?? '', process.env['EVENT_BODY'] ?? ''];
const workflowsPath = fileURLToPath(new URL('plain-delivery-workflow.js', import.meta.url));
const connection = await Connection.connect({ address });
const temporal = new Client({ connection });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue: TASK_QUEUE,
  workflowBundle: await bundleWorkflowCode({ workflowsPath }),
  activities: {
    async post(): Promise<number> {
      const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      await response.arrayBuffer();
      return response.status;
    },
  },
});

async function deliver(): Promise<void> {
  const ids = { tenantId: newId(), deliveryId: newId(), webhookId: newId(), eventId: newId() };
  const start = deliveryStart({ ...ids, event: 'client.created', replay: 0, quoteId: null, quoteNumber: null }, null);
  await temporal.workflow.execute('plainDelivery', { ...start, args: [], taskQueue: TASK_QUEUE });
}

const server = createServer((request, response) => {
  const count = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('count'));
  const limited = pLimit(MAX_CONCURRENT);
  Promise.all(Array.from({ length: count }, () => limited(deliver))).then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'));
process.once('SIGTERM', () => {
  server.close();
  worker.shutdown();
});
await worker.run();
await connection.close();
