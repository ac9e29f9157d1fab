import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { CreateBucketCommand, ListBucketsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Connection } from '@temporalio/client';
import type { BackingServices } from '../../dev/stack.ts';
import { clientOf, createBucket, removeLeftoverBuckets } from '../servers/buckets.ts';
import { createDatabase, dropLeftoverDatabases } from '../servers/databases.ts';
import { createNamespace, removeLeftoverNamespaces } from '../servers/namespaces.ts';
import { SERVER_PARTS, startTestServers, type TestServers } from '../servers/servers.ts';
import { makeDataFolder, removeFolder } from './data-folder.ts';
import { query } from './query.ts';

describe('servers shared by test processes', () => {
  let dataDir: string;
  let servers: TestServers;
  let services: BackingServices;

  before(async () => {
    dataDir = await makeDataFolder();
    ({ servers, services } = await startTestServers(dataDir, SERVER_PARTS));
  });
  after(async () => {
    await services.stop();
    await removeFolder(dataDir);
  });

  const databases = async () =>
    (await query<{ name: string }>(servers.superuserUrl, 'select datname as name from pg_database')).map(
      ({ name }) => name,
    );

  /** A name as a test process that has ended made it. */
  function nameOfEndedProcess(): string {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    return `test-${pid}-0123abcd`;
  }

  it('give each process a separate database', async () => {
    const [first, second] = [await createDatabase(servers), await createDatabase(servers)];

    await query(first.urls.admin, 'create table mine (n integer)');
    const seen = await query(second.urls.admin, `select from pg_tables where tablename = 'mine'`);
    const quotes = await query<{ count: string }>(second.urls.admin, 'select count(*) from quotes');

    assert.deepEqual([seen.length, quotes[0]?.count], [0, '0']);
    await first.drop();
    await second.drop();
    assert.deepEqual(
      (await databases()).filter((name) => name.startsWith('test-')),
      [],
    );
  });

  it('give a checkout with other migrations its own template, made once', async () => {
    const elsewhere = { ...servers, migrations: 'those of another checkout' };

    const [first, second] = await Promise.all([createDatabase(elsewhere), createDatabase(elsewhere)]);

    const templates = (await databases()).filter((name) => name.startsWith('template-'));
    assert.equal(templates.length, 1);
    assert.deepEqual(await query(second.urls.app, 'select current_user as role'), [{ role: 'quoting_app' }]);
    await first.drop();
    await second.drop();
  });

  it('drop the databases of a killed process, and keep those of a running one', async () => {
    const ended = nameOfEndedProcess();
    const { drop } = await createDatabase(servers);
    await query(servers.superuserUrl, `create database "${ended}"`);

    await dropLeftoverDatabases(servers);

    const left = (await databases()).filter((name) => name.startsWith('test-'));
    assert.equal(left.length, 1);
    assert.ok(left[0]?.startsWith(`test-${process.pid}-`));
    await drop();
  });

  it('delete the namespaces of a killed process, and keep those of a running one', async () => {
    const address = servers.env['TEMPORAL_ADDRESS'] ?? '';
    const ended = nameOfEndedProcess();
    const { name, remove } = await createNamespace(address);
    const connection = await Connection.connect({ address });
    const days = { seconds: 24 * 60 * 60 };
    // protobuf's type for 64-bit numbers accepts plain numbers too, but does not declare it.
    const request = { namespace: ended, workflowExecutionRetentionPeriod: days } as object;
    await connection.workflowService.registerNamespace(request);

    await removeLeftoverNamespaces(address);

    const { namespaces } = await connection.workflowService.listNamespaces({ pageSize: 100 });
    const left = (namespaces ?? []).map(({ namespaceInfo }) => namespaceInfo?.name);
    await connection.close();
    assert.deepEqual([left.includes(name), left.includes(ended)], [true, false]);
    await remove();
  });

  it('delete the buckets of a killed process with their content, and keep those of a running one', async () => {
    const ended = nameOfEndedProcess();
    const { name, remove } = await createBucket(servers);
    const client = clientOf(servers);
    await client.send(new CreateBucketCommand({ Bucket: ended }));
    await client.send(new PutObjectCommand({ Bucket: ended, Key: 'left', Body: 'behind' }));

    await removeLeftoverBuckets(servers);

    const { Buckets: buckets = [] } = await client.send(new ListBucketsCommand({}));
    client.destroy();
    const left = buckets.map((bucket) => bucket.Name);
    assert.deepEqual([left.includes(name), left.includes(ended)], [true, false]);
    await remove();
  });
});
