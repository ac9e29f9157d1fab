import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { receiver } from '../api/receiver.ts';
import { freePort, isPortFree } from '../../dev/ports.ts';

const ROOT = new URL('../../', import.meta.url);

/** The output of `npm run doctor` with those settings. */
async function doctorSays(settings: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, ['dev/run.mjs', 'doctor'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...settings },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return output;
}

/** The first of two free consecutive ports. */
async function freePair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isPortFree(port + 1)) return port;
  }
}

describe('npm run doctor', () => {
  it('says that metrics and traces are off by default', async () => {
    const said = await doctorSays({});

    assert.match(said, /✔ Métricas apagadas \(METRICS_PORT\)/);
    assert.match(said, /✔ Trazas apagadas \(OTEL_EXPORTER_OTLP_ENDPOINT\)/);
  });

  it('names the ports that serve metrics, and says that the receiver of traces accepts them', async () => {
    const port = await freePair();
    await using taking = await receiver();

    const said = await doctorSays({
      METRICS_PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL(taking.url).origin,
    });

    assert.match(said, new RegExp(`✔ Métricas en los puertos ${port}, ${port + 1}`));
    assert.match(said, /✔ Las trazas llegan a http/);
    assert.equal(taking.calls[0]?.path, '/v1/traces');
  });

  it('refuses the worker’s metrics port for those of Temporal’s SDK, and names the remedy', async () => {
    const said = await doctorSays({ METRICS_PORT: '9464', TEMPORAL_METRICS_PORT: '9465' });

    assert.match(said, /✘ Dos páginas de métricas en un mismo puerto: 9464, 9465, 9465\n {4}Ponga otro TEMPORAL_/);
  });

  it('warns of a port in use and of a receiver that does not work, and names the remedy', async () => {
    await using other = await receiver((res) => res.writeHead(404).end());
    const { port } = new URL(other.url);

    const said = await doctorSays({
      METRICS_PORT: port,
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL(other.url).origin,
    });

    assert.match(said, /! Algún puerto para métricas está ocupado: \d+, \d+\n {4}Elija otros: METRICS_PORT/);
    assert.match(said, /! El receptor de trazas contesta 404\n {4}Ponga el origen de un receptor OTLP\/HTTP/);
  });
});
