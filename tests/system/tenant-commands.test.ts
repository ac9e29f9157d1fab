import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFilesConfig } from '../../adapters/config.ts';
import { createStorage } from '../../adapters/storage.ts';
import { TENANT_TABLES } from '../../db/tenant-tables.ts';
import type { Manifest } from '../../ops/tenant-export.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { type MarkedBusiness, markedBusinesses, talkative } from '../journey/canary-world.ts';
import { beginCommand, command, type RunningCommand } from '../ops/commands.ts';
import { addMore, heldTable, type Holdings, holdingsOf, objectsOf } from './tenant-world.ts';

const EXPORTING = 'quoting-tenant-export';
const DELETING = 'quoting-tenant-delete';

describe('tenant export and tenant delete of a business with everything', function () {
  this.timeout(600_000);
  let service: Installation;
  let mine: MarkedBusiness;
  let other: MarkedBusiness;
  let tenantId: string;
  let slug: string;
  let folder = '';

  before(async () => {
    service = await talkative();
    const [first, second] = await markedBusinesses();
    assert.ok(first && second);
    [mine, other] = [first, second];
    await Promise.all([addMore(service, mine), addMore(service, other)]);
    tenantId = mine.ids[0] ?? '';
    slug = String((await service.rows('select slug from tenants where id = $1', tenantId))[0]?.['slug']);
    folder = await mkdtemp(join(tmpdir(), 'quoting-export-'));
  });
  after(() => folder && rm(folder, { recursive: true, force: true }));

  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  /** A command in a process that the test may kill. */
  const begin = (words: readonly string[], env = service.env): RunningCommand => beginCommand(env, ...words);

  describe('tenant export', () => {
    const manifestOf = async (path: string): Promise<Manifest> =>
      JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
    let exporting: Promise<string> | undefined;
    /** The folder of one export, for the tests that only read it. */
    const exportedFolder = (): Promise<string> =>
      (exporting ??= (async () => {
        const target = join(folder, 'exported');
        assert.equal((await command(service.env, 'tenant', 'export', slug, target)).code, 0);
        return target;
      })());
    const filesIn = async (path: string): Promise<readonly string[]> =>
      (await readdir(path, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
        .toSorted();

    it('killed while it reads rows leaves no folder, and the next one writes it', async () => {
      const target = join(folder, 'killed-in-rows');
      {
        await using held = await heldTable(service, 'products');
        const process = begin(['tenant', 'export', slug, target]);
        await held.reached(EXPORTING);
        await process.kill();
      }
      assert.equal(await exists(target), false);
      assert.equal(await exists(`${target}.${slug}.partial`), true);

      const { code } = await command(service.env, 'tenant', 'export', slug, target);

      assert.equal(code, 0);
      assert.deepEqual(await readdir(folder), ['killed-in-rows']);
    });

    it('killed while it reads files leaves no folder', async () => {
      const target = join(folder, 'killed-in-files');
      const silent = createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as { port: number };

      const process = begin(['tenant', 'export', slug, target], {
        ...service.env,
        S3_ENDPOINT: `http://127.0.0.1:${port}`,
      });
      await once(silent, 'connection');
      await process.kill();
      silent.close();

      assert.equal(await exists(join(`${target}.${slug}.partial`, 'tables', 'tenants.jsonl')), true);
      assert.equal(await exists(target), false);
    });

    it('has every row of every table, with every column but the withheld ones', async () => {
      const target = await exportedFolder();
      const { tables } = await manifestOf(target);

      for (const { name, key, exported, redacted } of TENANT_TABLES.filter((table) => table.exported.length > 0)) {
        const text = await readFile(join(target, 'tables', `${name}.jsonl`), 'utf8');
        const lines = text.split('\n').slice(0, -1);
        const columns = exported.filter((column) => !(column in redacted));
        const stored = await service.rows(
          `select jsonb_agg(row) as rows from (
             select row_to_json(r)::jsonb as row from (select ${columns.join()} from ${name}
               where ${name === 'tenants' ? 'id' : 'tenant_id'} = $1 order by ${key.join()}) r) s`,
          tenantId,
        );
        const without = (line: string) =>
          Object.fromEntries(Object.entries(JSON.parse(line)).filter(([column]) => columns.includes(column)));
        assert.deepEqual(lines.map(without), stored[0]?.['rows'] ?? [], name);
        assert.equal(tables.find(({ table }) => table === name)?.rows, lines.length, name);
      }
      const filled = tables.filter(({ rows }) => rows > 0).map(({ table }) => table);
      for (const table of ['quotes', 'signatures', 'webhook_attempts', 'two_factors', 'quote_attachments', 'mails'])
        assert.ok(filled.includes(table), table);
    });

    it('has every file, and a manifest with the hash of each; only its owner can read them', async () => {
      const target = await exportedFolder();
      const { tables, files, missing, altered } = await manifestOf(target);
      const storage = createStorage(readFilesConfig(service.env));

      for (const { path, sha256, bytes } of [...tables, ...files]) {
        const content = await readFile(join(target, path));
        assert.deepEqual([createHash('sha256').update(content).digest('hex'), content.length], [sha256, bytes], path);
      }
      for (const { key, path } of files) assert.deepEqual(await readFile(join(target, path)), await storage.get(key));
      storage.close();
      assert.deepEqual(
        files.map(({ key }) => key),
        (await holdingsOf(service, tenantId)).objects,
      );
      assert.deepEqual([missing, altered], [[], []]);
      const kinds = await service.rows('select distinct kind from files where tenant_id = $1', tenantId);
      assert.ok(kinds.length >= 3, JSON.stringify(kinds));
      const listed = await filesIn(target);
      assert.deepEqual(listed, ['manifest.json', ...[...tables, ...files].map(({ path }) => path)].toSorted());
      const modes = await Promise.all(listed.map(async (path) => (await stat(join(target, path))).mode & 0o777));
      assert.deepEqual([...new Set(modes)], [0o600]);
      for (const path of ['', 'tables', 'files']) assert.equal((await stat(join(target, path))).mode & 0o777, 0o700);
    });

    it('has no password, key, token, secret or answer of a repeatable request, and nothing of another business', async () => {
      const target = await exportedFolder();
      const texts = await Promise.all(
        (await filesIn(target))
          .filter((path) => !path.startsWith('files/'))
          .map((path) => readFile(join(target, path), 'utf8')),
      );
      const text = texts.join('\n');
      const { password, apiKey, webhookSecret, hookToken, publicToken, session, idempotencyKey } = mine.secrets;
      const sealed = await service.rows(
        `select public_token_sealed as value from quotes where tenant_id = $1
         union select public_token_hash from quotes where tenant_id = $1
         union select token_sealed from mails where tenant_id = $1 and token_sealed is not null
         union select hash from one_time_tokens where tenant_id = $1
         union select hash from api_keys where tenant_id = $1
         union select secret_sealed from webhooks where tenant_id = $1
         union select secret_sealed from two_factors where tenant_id = $1
         union select password_hash from users where tenant_id = $1 and password_hash is not null
         union select answer_sealed from idempotency_keys where tenant_id = $1 and answer_sealed is not null`,
        tenantId,
      );
      const secrets = [password, apiKey, webhookSecret, hookToken, publicToken, session, idempotencyKey];
      const all = [...secrets, ...sealed.map(({ value }) => String(value))];

      assert.ok(all.length > 12, String(all.length));
      assert.deepEqual(
        all.filter((secret) => text.includes(secret)),
        [],
      );
      assert.ok(text.includes('X-Token') && text.includes(mine.word), 'names of headers and texts are exported');
      assert.ok(!text.includes(other.word) && !text.includes(other.ids[0] ?? '-'), 'another business is named');
    });

    it('refuses a folder that exists, an unknown business, and missing words', async () => {
      const run = (...words: string[]) => command(service.env, 'tenant', 'export', ...words);

      const codes = [
        (await run(slug, folder)).code,
        (await run('t-nadie000', join(folder, 'x'))).code,
        (await run(slug)).code,
      ];

      assert.deepEqual(codes, [1, 1, 2]);
      assert.equal(await exists(join(folder, 'x')), false);
    });
  });

  describe('tenant delete', () => {
    let others: Holdings;
    const remove = (confirm = slug) => command(service.env, 'tenant', 'delete', slug, `--confirm=${confirm}`);

    before(async () => {
      others = await holdingsOf(service, other.ids[0] ?? '');
      const { rows, objects, running } = await holdingsOf(service, tenantId);
      assert.ok(Object.values(rows).filter((count) => count > 0).length > 30 && objects.length > 2 && running >= 2);
    });

    it('deletes nothing without the slug', async () => {
      const before = await holdingsOf(service, tenantId);

      const [wrong, none] = [await remove('t-otro0000'), await command(service.env, 'tenant', 'delete', slug)];

      assert.deepEqual([wrong.code, none.code], [1, 2]);
      assert.equal(wrong.complaint, 'El slug no coincide; no se borró nada.\n');
      assert.deepEqual(await holdingsOf(service, tenantId), before);
    });

    it('killed before and while it deletes rows keeps what the next one needs', async () => {
      for (const table of ['tenant_deletions', 'mails', 'quotes', 'users']) {
        await using held = await heldTable(service, table);
        const process = begin(['tenant', 'delete', slug, `--confirm=${slug}`]);
        await held.reached(DELETING);
        await process.kill();
      }

      const { rows, running } = await holdingsOf(service, tenantId);
      assert.deepEqual([rows['tenants'], running], [1, 0]);
      assert.equal((await service.http.get('/api/clients', mine.owner)).status, 401);
      const [deletion] = await service.rows('select completed_at from tenant_deletions where id = $1', tenantId);
      assert.deepEqual(deletion, { completed_at: null });
    });

    it('is refused while another process deletes the same business', async () => {
      await using held = await heldTable(service, 'clients');
      const first = begin(['tenant', 'delete', slug, `--confirm=${slug}`]);
      await held.reached(DELETING);

      const { code, complaint } = await remove();
      await first.kill();

      assert.equal(code, 1);
      assert.equal(complaint, `Otro proceso está exportando o borrando ${slug}; espere a que termine.\n`);
    });

    it('finishes what the killed ones began: no rows in any table, no objects, no running executions', async () => {
      const { code, out, complaint } = await remove();

      assert.deepEqual([code, complaint], [0, '']);
      assert.match(out, new RegExp(`^${slug}: borrado\\tfilas \\d+\\tarchivos \\d+\\tejecuciones \\d+\\n$`));
      const { rows, objects, running } = await holdingsOf(service, tenantId);
      assert.deepEqual(
        Object.entries(rows).filter(([, count]) => count > 0),
        [],
      );
      assert.deepEqual([objects, running], [[], 0]);
    });

    it('leaves the rows, objects and executions of other businesses as they were', async () => {
      assert.deepEqual(await holdingsOf(service, other.ids[0] ?? ''), others);
      assert.equal((await service.http.get('/api/clients', other.owner)).status, 200);
    });

    it('is recorded with its counts, without personal data, and the address can register again', async () => {
      const [deletion] = await service.rows('select * from tenant_deletions where id = $1', tenantId);
      assert.equal(deletion?.['slug'], slug);
      assert.ok(deletion?.['completed_at'] instanceof Date, 'it is not complete');
      assert.ok(Number(deletion?.['rows']) > 100 && Number(deletion?.['objects']) > 2, JSON.stringify(deletion));
      assert.ok(!JSON.stringify(deletion).includes(mine.word), 'it names persons');

      const { word, secrets } = mine;
      const registration = {
        businessName: 'Otra',
        name: 'Ana',
        email: `${word}@dueno.test`,
        password: secrets.password,
      };
      assert.equal((await service.http.post('/api/auth/register', registration)).status, 201);
    });

    it('repeated, deletes objects that appeared since', async () => {
      const storage = createStorage(readFilesConfig(service.env));
      await storage.put(`t/${tenantId}/late.pdf`, Buffer.from('x'), 'application/pdf');

      const { code } = await remove();

      assert.equal(code, 0);
      assert.equal(await storage.exists(`t/${tenantId}/late.pdf`), false);
      storage.close();
    });

    it('killed after the rows and before the end is finished by the next one', async () => {
      const third = (await markedBusinesses())[2];
      const id = third?.ids[0] ?? '';
      const [row] = await service.rows('select slug from tenants where id = $1', id);
      const name = String(row?.['slug']);
      const process = begin(['tenant', 'delete', name, `--confirm=${name}`]);
      await eventually(async () => {
        const [left] = await service.rows(
          `select (select count(*)::int from quotes where tenant_id = $1) as quotes,
                  (select count(*)::int from tenants where id = $1) as tenants`,
          id,
        );
        assert.deepEqual(left, { quotes: 0, tenants: 1 });
        assert.deepEqual(await objectsOf(service, id), []);
      });
      await process.kill();
      assert.equal((await holdingsOf(service, id)).rows['tenants'], 1);

      const { code } = await command(service.env, 'tenant', 'delete', name, `--confirm=${name}`);

      const { rows, objects, running } = await holdingsOf(service, id);
      assert.deepEqual([code, Object.values(rows).filter(Boolean), objects, running], [0, [], [], 0]);
    });
  });
});
