import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from '../../db/database.ts';
import { isMigrated, migrate, migrateDown, type MigrationUrls } from '../../db/migrate.ts';
import { schemaOf } from './catalogue.ts';
import { rowsOf, throwAwayDatabase } from './database.ts';

describe('migrations', () => {
  let urls: MigrationUrls;
  let end: () => Promise<void>;
  before(async () => {
    ({ urls, end } = await throwAwayDatabase());
  });
  after(() => end());

  async function schema(): Promise<readonly string[]> {
    const owner = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    try {
      return await schemaOf(owner);
    } finally {
      await owner.destroy();
    }
  }

  it('all run on an empty database', async () => {
    const names = await migrate(urls);

    const files = await readdir(new URL('../../db/migrations/', import.meta.url));
    assert.deepEqual(
      names,
      files.toSorted().map((file) => file.replace(/\.ts$/, '')),
    );
  });

  it('do not run twice', async () => {
    assert.deepEqual(await migrate(urls), []);
  });

  it('leave nothing after rollback, and give the same schema when run again', async () => {
    const before = await schema();

    await migrateDown(urls.admin);
    const between = await schema();
    await migrate(urls);

    assert.deepEqual(between, []);
    assert.deepEqual(await schema(), before);
    assert.ok(before.length > 200);
  });

  it('tell the app role whether all of them have run', async () => {
    const app = connect({ url: urls.app, pool: 1, applicationName: 'quoting-test' });

    const whenUp = await isMigrated(app);
    await migrateDown(urls.admin);
    const whenDown = await isMigrated(app);

    await app.destroy();
    assert.deepEqual([whenUp, whenDown], [true, false]);
  });

  it('set the passwords of the URLs on the roles again', async () => {
    const renewed = new URL(urls.app);
    renewed.password = 'otra%20clave%27%3F';

    await migrate({ ...urls, app: renewed.href });

    const app = connect({ url: renewed.href, pool: 1, applicationName: 'quoting-test' });
    const rows = await rowsOf(app, 'select current_user as role');
    await app.destroy();
    assert.deepEqual(rows, [{ role: 'quoting_app' }]);
  });

  it('reject a URL of another role', async () => {
    await assert.rejects(migrate({ ...urls, app: urls.dispatcher }), /quoting_app logs in as another role/);
  });
});
