import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { checkStoredFiles, compareFiles, type Comparison } from '../../activities/housekeeping/stored-files.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createWorkerMetrics } from '../../adapters/metrics/metrics.ts';
import { connectAsDispatcher, type DispatcherDb } from '../../db/dispatcher-db.ts';
import { newId } from '../../db/ids.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import { png } from '../adapters/image-files.ts';
import { attach, form, pdf } from '../api/attachment-files.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { closeAfterTests, needs, testStack } from '../stack.ts';
import { command } from '../ops/commands.ts';
import { rows } from '../worker/dispatcher-world.ts';

needs('storage');

/** Database and storage after one of them was restored without the other. */
describe('The files of database and storage', () => {
  let app: Service;
  let dispatcher: DispatcherDb;
  before(async () => {
    app = await service();
    const config = readWorkerConfig((await testStack()).env);
    dispatcher = connectAsDispatcher({
      url: config.DATABASE_DISPATCHER_URL,
      pool: 2,
      applicationName: 'stored-files-test',
    });
    closeAfterTests(() => dispatcher.destroy());
  });

  /** A business with all kinds of files: shown, signed, drawn alone, logo. */
  async function withFiles() {
    const business = await build.business();
    const { portal } = await build.sentQuote(business);
    assert.equal((await app.post(`${portal}/accept`, build.SIGNER)).status, 200);
    const open = await build.quote(business.owner);
    await app.post(`/api/quotes/${open.id}/pdf`, undefined, business.owner);
    const body = new FormData();
    body.set('logo', new Blob([new Uint8Array(await png({ width: 9, height: 9 }))]), 'logo.png');
    await fetch(`${app.url}/api/settings/logo`, { method: 'POST', headers: business.owner, body });
    const files = await app.deps.withTenant(business.tenantId, (trx) => StoredFile.query(trx).orderBy('storageKey'));
    assert.equal(files.length, 4);
    return { business, files, folder: `t/${business.tenantId}/` };
  }

  /** What is amiss in one folder; the rest is other tests'. */
  async function amissIn(folder: string): Promise<{ missing: string[]; evidence: string[]; unknown: string[] }> {
    const found: Comparison[] = [];
    let after: string | undefined = '';
    while (after !== undefined) {
      const page: Comparison = await compareFiles({ dispatcher, storage: app.deps.storage }, after, 0);
      found.push(page);
      after = page.after;
    }
    const missing = found.flatMap((page) => page.missing).filter(({ storageKey }) => storageKey.startsWith(folder));
    return {
      missing: missing.map(({ storageKey }) => storageKey),
      evidence: missing.filter(({ isEvidence }) => isEvidence).map(({ storageKey }) => storageKey),
      unknown: found.flatMap((page) => page.unknown).filter((key) => key.startsWith(folder)),
    };
  }

  it('agree after ordinary work', async () => {
    const { folder } = await withFiles();

    assert.deepEqual(await amissIn(folder), { missing: [], evidence: [], unknown: [] });
  });

  it('differ in every file when the database was restored without its bucket; evidence is told apart', async () => {
    const { files, folder } = await withFiles();
    for (const { storageKey } of files) await app.deps.storage.remove(storageKey);

    const { missing, evidence, unknown } = await amissIn(folder);

    assert.deepEqual(new Set(missing), new Set(files.map(({ storageKey }) => storageKey)));
    // What was signed and what was shown before; a logo and an open quote's PDF can be made again.
    assert.equal(evidence.length, 2);
    assert.ok(evidence.some((key) => /\/signed-/.test(key)));
    assert.deepEqual(unknown, []);
  });

  it('differ in what came since when the database is older than its bucket', async () => {
    const { folder, business } = await withFiles();
    const later = [`${folder}quotes/${newId()}/signed-${newId()}.pdf`, `${folder}logo/x.png`, `${folder}a`];
    for (const key of later) await app.deps.storage.put(key, Buffer.from('%PDF'), 'application/pdf');
    const ghost = `t/${newId()}/quotes/x.pdf`;
    await app.deps.storage.put(ghost, Buffer.from('%PDF'), 'application/pdf');

    assert.deepEqual(new Set((await amissIn(folder)).unknown), new Set(later));
    assert.deepEqual((await amissIn(ghost)).unknown, [ghost]);
    assert.equal((await amissIn(`t/${business.tenantId}/`)).missing.length, 0);
    for (const key of [...later, ghost]) await app.deps.storage.remove(key);
  });

  it('are compared page by page, each once, in the order of their bytes', async () => {
    const { business, folder } = await withFiles();
    const names = Array.from(
      { length: 2_300 },
      (_, i) => `${folder}ñ-${String(i).padStart(5, '0')}${i % 2 ? 'Z' : 'a'}`,
    );
    await rows(
      `insert into files (id, tenant_id, kind, storage_key, content_type, size_bytes, sha256)
         select md5(k), $1, 'logo', k, 'image/png', 1, md5(k) from unnest($2::text[]) k`,
      business.tenantId,
      names,
    );

    const { missing } = await amissIn(folder);

    await rows("delete from files where tenant_id = $1 and storage_key like '%/ñ-%'", business.tenantId);
    assert.equal(missing.length, names.length);
    assert.deepEqual(new Set(missing), new Set(names));
  });

  it('that are young are left in peace: a row or its object is written first', async () => {
    const { folder } = await withFiles();
    const key = `${folder}b`;
    await app.deps.storage.put(key, Buffer.from('%PDF'), 'application/pdf');
    let after: string | undefined = '';
    const unknown: string[] = [];
    while (after !== undefined) {
      const page: Comparison = await compareFiles({ dispatcher, storage: app.deps.storage }, after);
      unknown.push(...page.unknown);
      after = page.after;
    }
    await app.deps.storage.remove(key);

    assert.ok(!unknown.includes(key));
  });

  it('that differ are logged, and counted for alerts: evidence as an error', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino(new Writable({ write: (chunk, _encoding, done) => (lines.push(JSON.parse(String(chunk))), done()) })); // prettier-ignore
    const { files } = await withFiles();
    const [signed] = files.filter(({ kind }) => kind === 'signed_pdf');
    assert.ok(signed);
    await app.deps.storage.remove(signed.storageKey);
    await rows("update files set created_at = now() - interval '1 hour' where id = $1", signed.id);
    const metrics = createWorkerMetrics();

    let after: string | undefined = '';
    while (after !== undefined) {
      ({ after } = await checkStoredFiles({ dispatcher, storage: app.deps.storage, log, metrics }, after));
    }

    const errors = lines.filter(({ level }) => level === 50);
    assert.match(JSON.stringify(errors), new RegExp(signed.storageKey));
    assert.match(await metrics.registry.metrics(), /signed_pdfs_lost_total\{loss="missing"\} [1-9]/);
  });

  it('are listed by «files check», with what is not the bytes that were signed', async () => {
    const { files, folder } = await withFiles();
    const [signed] = files.filter(({ kind }) => kind === 'signed_pdf');
    const [logo] = files.filter(({ kind }) => kind === 'logo');
    assert.ok(signed && logo);
    await app.deps.storage.put(signed.storageKey, Buffer.from('%PDF otro'), 'application/pdf');
    await app.deps.storage.remove(logo.storageKey);
    await rows("update files set created_at = now() - interval '1 hour' where id = $1", logo.id);

    const { code, out, complaint } = await command((await testStack()).env, 'files', 'check');

    const mine = out.split('\n').filter((line) => line.includes(folder));
    assert.deepEqual(mine.sort(), [`CAMBIÓ\t${signed.storageKey}\tfirma`, `FALTA\t${logo.storageKey}`]);
    assert.equal(code, 1);
    assert.match(complaint, /no coinciden en \d+ archivos/);
  });

  it('include attachments: one of a signed quote is evidence, and one without a reference is not missed', async () => {
    const business = await build.business();
    const [open, signed] = [await build.quote(business.owner), await build.quote(business.owner)];
    const upload = async (quoteId: string, mark: string): Promise<{ key: string; id: string }> => {
      const { body } = await attach(app, business.owner, quoteId, form(pdf({ mark })));
      return { key: `t/${business.tenantId}/${body.sha256}`, id: body.id };
    };
    const [kept, lost] = [await upload(open.id, 'a'), await upload(open.id, 'b')];
    const evidence = await upload(signed.id, 'c');
    await build.patchQuote(business, signed.id, { status: 'SENT' });
    assert.equal((await app.post(`/api/portal/${signed.publicToken}/accept`, build.SIGNER)).status, 200);
    await app.request('DELETE', `/api/quotes/${open.id}/attachments/${lost.id}`, { headers: business.owner });
    for (const { key } of [kept, lost, evidence]) await app.deps.storage.remove(key);

    const amiss = await amissIn(`t/${business.tenantId}/`);

    assert.deepEqual(
      [amiss.missing.toSorted(), amiss.evidence, amiss.unknown],
      [[kept.key, evidence.key].toSorted(), [evidence.key], []],
    );
  });
});
