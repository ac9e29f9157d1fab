import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage, type StorageConfig, StorageUnavailable } from '../../adapters/storage.ts';
import { startStorage } from '../../dev/storage.ts';

const PDF = Buffer.from('%PDF-1.7\nbytes that are not text: \u0000\u00ff', 'latin1');
const SETTINGS = { S3_REGION: 'us-east-1', S3_BUCKET: 'quoting', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };

describe('createStorage', () => {
  let dataDir: string;
  let server: Awaited<ReturnType<typeof startStorage>>;
  let config: StorageConfig;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'quoting-storage-'));
    server = await startStorage({ dataDir, bucket: 'quoting' });
    config = {
      S3_ENDPOINT: server.endpoint,
      S3_REGION: server.region,
      S3_BUCKET: server.bucket,
      S3_ACCESS_KEY_ID: server.accessKeyId,
      S3_SECRET_ACCESS_KEY: server.secretAccessKey,
    };
  });

  after(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('returns the bytes that were put, and knows which keys exist', async () => {
    const storage = createStorage(config);

    const before = await storage.exists('t-1/quotes/1.pdf');
    await storage.put('t-1/quotes/1.pdf', PDF, 'application/pdf');
    const after = await storage.exists('t-1/quotes/1.pdf');

    assert.deepEqual([before, after], [false, true]);
    assert.deepEqual(await storage.get('t-1/quotes/1.pdf'), PDF);
    storage.close();
  });

  it('signs a link that opens without keys, with the given name and type', async () => {
    const storage = createStorage(config);
    await storage.put('t-1/quotes/2', PDF, 'text/plain');

    const url = await storage.presignedUrl('t-1/quotes/2', {
      filename: 'Cotización "12".pdf',
      contentType: 'application/pdf',
    });
    const answer = await fetch(url);

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.equal(
      answer.headers.get('content-disposition'),
      `inline; filename="Cotizaci_n _12_.pdf"; filename*=UTF-8''Cotizaci%C3%B3n%20%2212%22.pdf`,
    );
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), PDF);
    assert.match(url, /X-Amz-Expires=900&/);
    storage.close();
  });

  it('signs a link for one key and a limited time: it opens no other file', async () => {
    const storage = createStorage(config);
    await storage.put('t-1/quotes/3.pdf', PDF, 'application/pdf');
    await storage.put('t-2/quotes/3.pdf', PDF, 'application/pdf');

    const url = await storage.presignedUrl('t-1/quotes/3.pdf', {
      filename: 'COT-3.pdf',
      contentType: 'application/pdf',
      expiresInSeconds: 60,
    });
    const own = await fetch(url);
    const foreign = await fetch(url.replace('t-1', 't-2'));
    const prolonged = await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'));

    assert.deepEqual([own.status, foreign.status, prolonged.status], [200, 403, 403]);
    storage.close();
  });

  it('signs links for the public address when there is one', async () => {
    const storage = createStorage({ ...config, S3_PUBLIC_ENDPOINT: 'https://files.example' });

    const url = await storage.presignedUrl('k', { filename: 'COT-1.pdf', contentType: 'application/pdf' });

    assert.ok(url.startsWith('https://files.example/quoting/k?'), url);
    storage.close();
  });

  it('creates its bucket once; repeating that is harmless', async () => {
    const storage = createStorage({ ...config, S3_BUCKET: 'made-by-us' });
    await assert.rejects(storage.check(), StorageUnavailable);

    await storage.ensureBucket();
    await storage.ensureBucket();

    await storage.check();
    storage.close();
  });

  it('throws StorageUnavailable when the key is wrong, the file is missing or the bucket is', async () => {
    const wrongKey = createStorage({ ...config, S3_SECRET_ACCESS_KEY: 'wrong' });
    const right = createStorage(config);
    const noBucket = createStorage({ ...config, S3_BUCKET: 'nowhere' });

    await assert.rejects(wrongKey.put('k', PDF, 'application/pdf'), StorageUnavailable);
    await assert.rejects(wrongKey.exists('k'), StorageUnavailable);
    await assert.rejects(right.get('missing'), StorageUnavailable);
    await assert.rejects(noBucket.put('k', PDF, 'application/pdf'), StorageUnavailable);

    for (const storage of [wrongKey, right, noBucket]) storage.close();
  });
});

describe('createStorage against a faulty server', () => {
  let server: Server | undefined;
  const sockets = new Set<Socket>();

  const serve = async (onConnection: (socket: Socket) => void): Promise<StorageConfig> => {
    const listening = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      onConnection(socket);
    });
    server = listening;
    await new Promise<void>((resolve) => {
      listening.listen(0, '127.0.0.1', resolve);
    });
    return { ...SETTINGS, S3_ENDPOINT: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` };
  };

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    server?.close();
  });

  /**
   * The call throws StorageUnavailable for this reason. The time is not measured: the reason says which limit ended the
   * call, and names its length, however slow the machine is.
   */
  const failsBecause = (reason: RegExp, call: Promise<unknown>) =>
    assert.rejects(call, (error) => {
      assert.ok(error instanceof StorageUnavailable, String(error));
      assert.match(String(error.cause), reason);
      return true;
    });
  const LIMIT = /no response within 5000 ms/;

  it('throws at its limit of five seconds, after one retry, when the server accepts and never responds', async () => {
    let connections = 0;
    const storage = createStorage(await serve(() => (connections += 1)));

    await Promise.all([
      failsBecause(LIMIT, storage.put('k', PDF, 'application/pdf')),
      failsBecause(LIMIT, storage.get('k')),
      failsBecause(LIMIT, storage.exists('k')),
      failsBecause(LIMIT, storage.check()),
    ]);

    assert.equal(connections, 8);
    storage.close();
  });

  it('throws at its limit when the server stops in the middle of a file', async () => {
    const storage = createStorage(
      await serve((socket) => {
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf'));
      }),
    );

    await failsBecause(LIMIT, storage.get('k'));
    storage.close();
  });

  it('throws at its limit when the server sends the file byte by byte', async () => {
    const storage = createStorage(
      await serve((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
          const timer = setInterval(() => socket.write('x'), 200);
          socket.on('close', () => clearInterval(timer));
        });
      }),
    );

    await failsBecause(LIMIT, storage.get('k'));
    storage.close();
  });

  it('throws for the refused connection, not at a limit, when nothing listens', async () => {
    const gone = await serve(() => {});
    await new Promise((resolve) => server?.close(resolve));
    const storage = createStorage(gone);

    await failsBecause(/ECONNREFUSED/, storage.check());
    storage.close();
  });

  it('succeeds on the second attempt when the first response was 503', async () => {
    let answers = 0;
    const storage = createStorage(
      await serve((socket) => {
        socket.on('data', () => {
          answers += 1;
          // Without "close" the second attempt may use this connection before its end is noticed.
          const status = answers === 1 ? '503 Slow Down' : '200 OK';
          socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        });
      }),
    );

    await storage.check();

    assert.equal(answers, 2);
    storage.close();
  });
});
