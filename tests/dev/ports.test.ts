import assert from 'node:assert/strict';
import net from 'node:net';
import { freePorts, isPortFree, preferredPort } from '../../dev/ports.ts';

describe('dev/ports.ts', () => {
  let taken: net.Server;
  let port: number;

  before((done) => {
    taken = net.createServer().listen(0, '127.0.0.1', () => {
      const address = taken.address();
      port = typeof address === 'object' && address ? address.port : 0;
      done();
    });
  });

  after((done) => void taken.close(done));

  it('says that a port is taken while a server listens on it', async () => {
    assert.equal(await isPortFree(port), false);
  });

  it('steps over a busy port and names it and the one taken instead', async () => {
    const steps: number[][] = [];

    const instead = await preferredPort(port, (...step) => steps.push(step));

    assert.ok(instead > port);
    assert.deepEqual(steps, [[port, instead]]);
  });

  it('keeps the preferred port, in silence, when it is free', async () => {
    const [free = 0] = await freePorts(1);

    const got = await preferredPort(free, () => assert.fail('nothing is busy'));

    assert.equal(got, free);
  });

  it('gives as many different ports as asked for', async () => {
    const ports = await freePorts(20);

    assert.equal(new Set(ports).size, 20);
  });
});
