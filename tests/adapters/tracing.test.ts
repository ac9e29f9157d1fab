import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const ROOT = new URL('../../', import.meta.url);

/** Traces with a receiver at that address, in a process of their own: OpenTelemetry is registered once a process. */
async function trace(endpoint: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const script = `
    import { createLog } from './adapters/log.ts';
    import { inSpan, traceMembers } from './adapters/tracing/spans.ts';
    import { startTracing } from './adapters/tracing/start-tracing.ts';
    const log = createLog({ level: 'info', name: 'test' });
    const tracing = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: '${endpoint}', service: 'quoting-api' }, log);
    for (let i = 0; i < 2; i++) {
      const result = await inSpan('work', {}, async () => traceMembers());
      log.info(result, 'done');
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    // Both limits are timers of this process: a slow machine delays them together and does not change which is first.
    let isLate = false;
    setTimeout(() => (isLate = true), 2_500).unref();
    await tracing.stop();
    log.info({ isLate }, 'stopped');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], OTEL_BSP_SCHEDULE_DELAY: '100' },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('Traces whose receiver is away', () => {
  it('are lost, which the log says once, and keep no process from working or from ending well', async () => {
    const { code, output } = await trace('http://127.0.0.1:9');

    assert.equal(code, 0, output);
    assert.equal(output.match(/"msg":"done"/g)?.length, 2, output);
    assert.equal(output.match(/traces are lost/g)?.length, 1, output);
    assert.match(output, /"traceId":"[0-9a-f]{32}"/);
    // Two seconds is what the last spans may take.
    assert.match(output, /"isLate":false/);
  });
});
