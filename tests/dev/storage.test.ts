import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type Storage, startStorage } from '../../dev/storage.ts';
import { makeDataFolder, removeFolder } from './data-folder.ts';

describe('dev/storage.ts', () => {
  let dataDir: string;
  let storage: Storage;

  before(async () => {
    dataDir = await makeDataFolder();
    storage = await startStorage({ dataDir });
  });

  after(async () => {
    await storage.stop();
    await removeFolder(dataDir);
  });

  const clientFor = ({ endpoint, region, accessKeyId, secretAccessKey }: Storage) =>
    new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });

  it('returns a stored object, with its type', async () => {
    const client = clientFor(storage);
    const object = { Bucket: 'quoting', Key: 'pdf/COT-1.pdf' };

    await client.send(new PutObjectCommand({ ...object, Body: '%PDF', ContentType: 'application/pdf' }));
    const got = await client.send(new GetObjectCommand(object));

    assert.equal(got.ContentType, 'application/pdf');
    assert.equal(await got.Body?.transformToString(), '%PDF');
  });

  it('refuses an unsigned request with 403', async () => {
    const response = await fetch(`${storage.endpoint}/quoting/pdf/COT-1.pdf`);

    assert.equal(response.status, 403);
  });

  it('refuses a request signed with another secret', async () => {
    const client = clientFor({ ...storage, secretAccessKey: 'not-the-secret' });

    await assert.rejects(client.send(new GetObjectCommand({ Bucket: 'quoting', Key: 'pdf/COT-1.pdf' })), {
      name: 'SignatureDoesNotMatch',
    });
  });

  it('keeps files and keys over a restart', async () => {
    const object = { Bucket: 'quoting', Key: 'kept' };
    await clientFor(storage).send(new PutObjectCommand({ ...object, Body: 'kept' }));
    const { accessKeyId } = storage;

    await storage.stop();
    storage = await startStorage({ dataDir });
    const got = await clientFor(storage).send(new GetObjectCommand(object));

    assert.equal(storage.accessKeyId, accessKeyId);
    assert.equal(await got.Body?.transformToString(), 'kept');
  });

  it('leaves no socket in the machine’s temporary folder when it ends', async () => {
    const names = storage.process.child.spawnargs.flatMap((arg) => {
      const [, part, grpc = '', port] = /^-(\w+)\.port(\.grpc)?=([1-9]\d*)$/.exec(arg) ?? [];
      return port ? [`seaweedfs-${part}${grpc.replace('.', '-')}-${port}.sock`] : [];
    });
    const sockets = async () => (await readdir('/tmp')).filter((file) => names.includes(file));
    assert.equal(names.length, 10);
    assert.ok((await sockets()).length > 5);

    await storage.stop();

    assert.deepEqual(await sockets(), []);
    storage = await startStorage({ dataDir });
  });
});
