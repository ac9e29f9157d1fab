import assert from 'node:assert/strict';
import { createApiMetrics, createWorkerMetrics, measureLater } from '../../adapters/metrics/metrics.ts';
import { serveMetrics } from '../../adapters/metrics/server.ts';
import { freePorts } from '../../dev/ports.ts';
import { receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { figure, scrape } from '../journey/figures.ts';
import { capturedLog } from '../captured-log.ts';

const METRICS_HOST = '127.0.0.1';

describe('metrics page', () => {
  it('is served without metrics whose query fails, and with them once it succeeds', async () => {
    const [METRICS_PORT = 0] = await freePorts(1);
    const metrics = createWorkerMetrics();
    let isAway = true;
    const read = (name: string) => () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve({ [name]: 7 }));
    measureLater(metrics, { name: 'labelled', help: 'x', label: 'step' }, read('plan'));
    measureLater(metrics, { name: 'plain', help: 'x' }, read('n'));
    const server = serveMetrics({ METRICS_HOST, METRICS_PORT }, metrics, capturedLog().log);

    const before = await eventually(() => scrape(METRICS_PORT));
    isAway = false;
    const after = await scrape(METRICS_PORT);
    await server.close();

    assert.equal(figure(before, 'emails_total', { result: 'sent' }), 0);
    assert.equal(figure(before, 'labelled'), undefined);
    assert.ok(Number.isNaN(figure(before, 'plain')));
    assert.equal(figure(after, 'labelled', { step: 'plan' }), 7);
    assert.equal(figure(after, 'plain'), 7);
  });

  it('is disabled, and the process runs on, when its port is in use: the log says so', async () => {
    await using other = await receiver();
    const { lines, log } = capturedLog();

    const server = serveMetrics(
      { METRICS_HOST, METRICS_PORT: Number(new URL(other.url).port) },
      createApiMetrics(),
      log,
    );

    await eventually(() => assert.match(lines.join(''), /"level":"error".*the metrics are not served/));
    await server.close();
  });
});
