import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import net from 'node:net';
import { promisify } from 'node:util';
import { startInbox } from '../../dev/inbox/inbox.ts';
import { freePort, freePorts, isPortFree, onFreePort, preferredPort } from '../../dev/ports.ts';
import { startPostgres } from '../../dev/postgres.ts';
import { startStorage } from '../../dev/storage.ts';
import { startTemporal } from '../../dev/temporal.ts';
import { makeDataFolder, removeFolder } from './data-folder.ts';

describe('dev/ports.ts', () => {
  let taken: net.Server;
  let port: number;

  before((done) => {
    // It does not respond to a client that takes it for a server of ours.
    taken = net
      .createServer((socket) => socket.destroy())
      .listen(0, '127.0.0.1', () => {
        const address = taken.address();
        port = typeof address === 'object' && address ? address.port : 0;
        done();
      });
  });

  after((done) => void taken.close(done));

  it('reports a port as taken while a server listens on it', async () => {
    assert.equal(await isPortFree(port), false);
  });

  it('skips a busy port, and names it and the one used instead', async () => {
    const steps: number[][] = [];

    const instead = await preferredPort(port, (...step) => steps.push(step));

    assert.ok(instead > port);
    assert.deepEqual(steps, [[port, instead]]);
  });

  it('uses the preferred port, without a message, when it is free', async () => {
    const [free = 0] = await freePorts(1);

    const got = await preferredPort(free, () => assert.fail('nothing is busy'));

    assert.equal(got, free);
  });

  it('returns as many different ports as asked for', async () => {
    const ports = await freePorts(20);

    assert.equal(new Set(ports).size, 20);
  });

  it('never returns a port twice, although its server may not listen yet', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));

    assert.equal(new Set(ports).size, 300);
  });

  it('returns a port from the range that DRAWN_PORTS names, except reserved ones', async () => {
    const [free = 0] = await freePorts(1);
    const drawing = (reserved: string) =>
      promisify(execFile)(
        process.execPath,
        [
          '--import',
          'tsx',
          '--input-type=module',
          '--eval',
          `const { freePort, reservePorts } = await import('./dev/ports.ts');
           reservePorts(${reserved});
           console.log(await freePort().catch((error) => error.message));`,
        ],
        { env: { ...process.env, DRAWN_PORTS: `${free}-${free + 1}` } },
      );

    assert.equal((await drawing('')).stdout.trim(), String(free));
    assert.equal((await drawing(String(free))).stdout.trim(), `no 1 free ports between ${free} and ${free + 1}`);
  }).timeout(20_000);

  const PARTS: Record<string, (dataDir: string, at: number) => Promise<{ stop: () => Promise<void> }>> = {
    postgres: (dataDir, at) => startPostgres({ dataDir, port: at }),
    temporal: (dataDir, at) => startTemporal({ dataDir, port: at, headless: true }),
    storage: (dataDir, at) => startStorage({ dataDir, port: at }),
    'inbox, SMTP': (dataDir, at) => startInbox({ dataDir, smtpPort: at }),
    'inbox, HTTP': (dataDir, at) => startInbox({ dataDir, httpPort: at }),
  };
  for (const [part, start] of Object.entries(PARTS)) {
    it(`starts ${part} on another port when another program took the one that was free`, async () => {
      const dataDir = await makeDataFolder();
      const ports = [port, await freePort()];

      const started = await onFreePort(() => start(dataDir, ports.shift() ?? 0));

      await started.stop();
      await removeFolder(dataDir);
      assert.deepEqual(ports, []);
    });
  }
});
