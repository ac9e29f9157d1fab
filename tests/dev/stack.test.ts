import assert from 'node:assert/strict';
import { Connection } from '@temporalio/client';
import { readApiConfig, readMigrateConfig, readWorkerConfig } from '../../adapters/config.ts';
import { type BackingServices, startBackingServices } from '../../dev/stack.ts';
import { makeDataFolder, removeFolder } from './data-folder.ts';

describe('dev/stack.ts', () => {
  let dataDir: string;
  let stack: BackingServices | undefined;

  beforeEach(async () => {
    dataDir = await makeDataFolder();
  });

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
    await removeFolder(dataDir);
  });

  it('gives every process its complete configuration', async () => {
    stack = await startBackingServices({ dataDir, profile: 'test' });

    assert.equal(readApiConfig(stack.env).PROFILE, 'test');
    assert.equal(readWorkerConfig(stack.env).SMTP_URL, stack.inbox?.smtpUrl);
    assert.equal(readMigrateConfig(stack.env).DATABASE_ADMIN_URL, stack.postgres?.adminUrl);
  });

  it('starts a Temporal whose namespace default responds, without a UI in tests', async () => {
    stack = await startBackingServices({ dataDir, profile: 'test', parts: ['temporal'] });

    const connection = await Connection.connect({ address: stack.env['TEMPORAL_ADDRESS'] ?? '' });
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();

    assert.equal(namespaceInfo?.name, 'default');
    // The polls of a stopping worker are ended by the server.
    assert.equal(namespaceInfo?.capabilities?.workerPollCompleteOnShutdown, true);
    assert.equal(stack.temporal?.uiUrl, undefined);
  });

  it('starts no part that the environment replaces by an external one', async () => {
    const environment = {
      DATABASE_URL: 'postgres://owner:secret@db.example/quoting',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      S3_ENDPOINT: 'https://s3.example',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      SMTP_URL: 'smtps://smtp.example',
    };

    stack = await startBackingServices({ dataDir, profile: 'embedded', environment });

    assert.deepEqual([stack.postgres, stack.temporal, stack.storage, stack.inbox], Array(4).fill(undefined));
    assert.equal(stack.env['DATABASE_ADMIN_URL'], environment.DATABASE_URL);
    assert.match(stack.env['DATABASE_URL'] ?? '', /^postgres:\/\/quoting_app:[^@]{20,}@db\.example\/quoting$/);
    assert.match(
      stack.env['DATABASE_DISPATCHER_URL'] ?? '',
      /^postgres:\/\/quoting_dispatcher:[^@]{20,}@db\.example\/quoting$/,
    );
    assert.equal(stack.env['TEMPORAL_ADDRESS'], environment.TEMPORAL_ADDRESS);
    assert.equal(stack.env['SMTP_URL'], environment.SMTP_URL);
  });

  it('asks for DATABASE_ADMIN_URL when only the URL of quoting_app is given', async () => {
    const environment = { DATABASE_URL: 'postgres://quoting_app:secret@db.example/quoting' };

    await assert.rejects(startBackingServices({ dataDir, profile: 'test', environment, parts: ['postgres'] }), {
      name: 'Problem',
      message: /falta DATABASE_ADMIN_URL/,
    });
  });

  it('names the keys that S3_ENDPOINT requires', async () => {
    const environment = { S3_ENDPOINT: 'https://s3.example', S3_ACCESS_KEY_ID: 'key' };

    await assert.rejects(startBackingServices({ dataDir, profile: 'test', environment, parts: ['storage'] }), {
      name: 'Problem',
      message: 'Con S3_ENDPOINT hacen falta también S3_SECRET_ACCESS_KEY.',
    });
  });
});
