import assert from 'node:assert/strict';
import { socketAddress } from '../../worker/temporal-runtime.ts';
import { freePort } from '../../dev/ports.ts';
import { receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { needs, testStack } from '../stack.ts';

needs('temporal');

describe('The figures of Temporal’s SDK', () => {
  let worker: OwnProcess | undefined;
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });

  it('cost figures and no worker where their port is taken: it polls, and the log says so', async () => {
    await using other = await receiver();
    const { env } = await testStack();

    worker = await startOwnProcess('worker/main.ts', {
      ...env,
      LOG_LEVEL: 'info',
      TEMPORAL_METRICS_PORT: new URL(other.url).port,
    });

    await eventually(() =>
      assert.match(
        String(worker?.output()),
        /"level":"error".*EADDRINUSE.*the metrics of Temporal's SDK are not served/,
      ),
    );
  });

  it('are served where METRICS_HOST is a name', async () => {
    const { env } = await testStack();
    const port = await freePort();

    worker = await startOwnProcess('worker/main.ts', {
      ...env,
      METRICS_HOST: 'localhost',
      TEMPORAL_METRICS_PORT: String(port),
    });

    await eventually(async () => {
      const page = await fetch(`http://localhost:${port}/metrics`);
      assert.match(await page.text(), /^temporal_/m);
    });
  });

  it('are served on IPv6 in the form that the SDK takes', async () => {
    const port = await freePort();

    assert.deepEqual(
      [await socketAddress('::', port), await socketAddress('::1', port), await socketAddress('127.0.0.1', port)],
      [`[::]:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`],
    );
  });
});
