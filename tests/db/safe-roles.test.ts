import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, connect as connectTo } from 'node:net';
import { connect } from '../../db/database.ts';
import { refuseUnsafeRoles } from '../../db/safe-roles.ts';
import { freePort } from '../../dev/ports.ts';
import { eventually } from '../eventually.ts';
import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import { newDatabase, testStack } from '../stack.ts';

const refusal = (setting: string, fault: string) => ({
  name: 'UnsafeRole',
  message: `The configuration is unsafe:\n  ${setting}: its role ${fault}, so that row-level security does not hold for it`,
});

describe('database roles at process start', () => {
  let urls: { admin: string; app: string; dispatcher: string };
  let superuserUrl: string;
  let asSuperuser: (sql: string) => Promise<unknown>;
  before(async () => {
    const database = await newDatabase();
    ({ urls, superuserUrl } = database);
    asSuperuser = async (sql) => {
      const knex = connect({ url: superuserUrl, applicationName: 'quoting-test' });
      try {
        await knex.raw(sql);
      } finally {
        await knex.destroy();
      }
    };
  });

  /** Runs the work with the URL of a new role, which is dropped afterwards: roles are of the whole server. */
  async function withRole(options: string, work: (url: string) => Promise<void>): Promise<void> {
    const role = `quoting_test_${randomBytes(6).toString('hex')}`;
    const password = randomBytes(12).toString('hex');
    await asSuperuser(`create role ${role} login password '${password}' ${options}`);
    try {
      const url = new URL(superuserUrl);
      Object.assign(url, { username: role, password });
      await work(url.href);
    } finally {
      await asSuperuser(`drop role ${role}`);
    }
  }

  it('accepts the app and dispatcher roles', async () => {
    await refuseUnsafeRoles({ DATABASE_URL: urls.app, DATABASE_DISPATCHER_URL: urls.dispatcher });
  });

  it('rejects the owner of the tables, in either setting', async () => {
    await assert.rejects(refuseUnsafeRoles({ DATABASE_URL: urls.admin }), refusal('DATABASE_URL', 'owns tables'));
    await assert.rejects(
      refuseUnsafeRoles({ DATABASE_URL: urls.app, DATABASE_DISPATCHER_URL: urls.admin }),
      refusal('DATABASE_DISPATCHER_URL', 'owns tables'),
    );
  });

  it('rejects a superuser', async () => {
    await assert.rejects(refuseUnsafeRoles({ DATABASE_URL: superuserUrl }), refusal('DATABASE_URL', 'is a superuser'));
  });

  it('rejects a role with BYPASSRLS', () =>
    withRole('bypassrls', (url) =>
      assert.rejects(refuseUnsafeRoles({ DATABASE_URL: url }), refusal('DATABASE_URL', 'has BYPASSRLS')),
    ));

  it('rejects a member of the owner role', () =>
    withRole('in role quoting_owner', (url) =>
      assert.rejects(refuseUnsafeRoles({ DATABASE_URL: url }), refusal('DATABASE_URL', 'owns tables')),
    ));

  describe('of our own processes', () => {
    let safe: Record<string, string>;
    before(async () => {
      const { env } = await testStack();
      const random = (label: string) => createHash('sha256').update(label).digest('base64');
      safe = {
        ...env,
        PROFILE: 'production',
        RATE_LIMITS: 'on',
        PORT: String(await freePort()),
        SESSION_SECRETS: random('session'),
        ENCRYPTION_KEYS: `k1:${random('k1')}`,
        DATABASE_URL: urls.app,
        DATABASE_DISPATCHER_URL: urls.dispatcher,
      };
    });

    for (const entry of ['api/main.ts', 'worker/main.ts']) {
      it(`${entry} does not start in production as the owner of the tables`, async () => {
        const own = await startOwnProcess(entry, { ...safe, DATABASE_URL: urls.admin }, { waitFor: 'exit' });

        assert.equal(own.exitCode(), 1);
        assert.match(own.output(), /DATABASE_URL: its role owns tables, so that row-level security does not hold/);
      });
    }

    it('the worker does not start in production with the owner of the tables as dispatcher role', async () => {
      const env = { ...safe, DATABASE_DISPATCHER_URL: urls.admin };
      const own = await startOwnProcess('worker/main.ts', env, { waitFor: 'exit' });

      assert.equal(own.exitCode(), 1);
      assert.match(own.output(), /DATABASE_DISPATCHER_URL: its role owns tables/);
    });

    it('the API starts in production as the app role', async () => {
      const own = await startOwnProcess('api/main.ts', safe);
      await own.stop();

      assert.equal(own.exitCode(), 0);
    });

    it('an API that started while PostgreSQL was down exits once PostgreSQL responds', async () => {
      const port = await freePort();
      const url = new URL(urls.admin);
      const target = { host: url.hostname, port: Number(url.port) };
      Object.assign(url, { hostname: '127.0.0.1', port: String(port) });
      const own: OwnProcess = await startOwnProcess('api/main.ts', { ...safe, DATABASE_URL: url.href });
      const running = own.exitCode();
      const door = createServer((socket) => {
        const through = connectTo(target);
        socket.pipe(through).pipe(socket);
        for (const end of [socket, through]) end.on('error', () => end.destroy());
      }).listen(port, '127.0.0.1');

      await eventually(() => assert.equal(own.exitCode(), 1), 10_000);
      door.close();
      assert.equal(running, null);
      assert.match(own.output(), /DATABASE_URL: its role owns tables/);
    });
  });
});
