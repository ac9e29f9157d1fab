import { createHash } from 'node:crypto';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Storage } from '../adapters/storage.ts';
import type { TenantRef } from '../db/reads/tenants.ts';
import { TENANT_TABLES, type TenantTable } from '../db/tenant-tables.ts';
import type { TenantTransaction, WithTenant } from '../db/with-tenant.ts';
import { CommandError } from './commands/command.ts';
import { folderOf, objectsOf } from '../adapters/tenant-objects.ts';

/** A file of an export, with its path inside the folder. */
interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `manifest.json`: what an export holds. It is written last. */
export interface Manifest {
  readonly format: 1;
  readonly tenant: TenantRef;
  readonly exportedAt: string;
  readonly tables: readonly (ExportedFile & {
    readonly table: string;
    readonly rows: number;
    /** Columns that are left out. */
    readonly withheld: readonly string[];
    /** Columns that are exported without the secrets in them. */
    readonly redacted: readonly string[];
  })[];
  readonly files: readonly (ExportedFile & { readonly key: string })[];
  /** Keys that rows name and the bucket lacks. */
  readonly missing: readonly string[];
  /** Keys whose content has another hash than their row. */
  readonly altered: readonly string[];
}

export interface ExportDeps {
  readonly withTenant: WithTenant;
  readonly storage: Pick<Storage, 'list' | 'get' | 'exists'>;
}

const NEXT_ROWS = 'fetch 500 from exported';

/**
 * Writes what a tenant has into a new folder: a file of JSON lines for each table, its objects, and a manifest. All rows
 * are of one moment. The folder gets its name at the end, so one with that name is complete.
 */
export async function exportTenant(
  { withTenant, storage }: ExportDeps,
  tenant: TenantRef,
  folder: string,
): Promise<Manifest> {
  if (await exists(folder)) throw new CommandError(`Ya existe ${folder}.`);
  const partial = `${folder}.${tenant.slug}.partial`;
  // Left by an export that was killed.
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(partial, 'tables'), { recursive: true, mode: 0o700 });
  const { tables, hashes, exportedAt } = await withTenant(tenant.id, (trx) => writeTables(trx, partial), {
    isSnapshot: true,
  });
  const files = await writeObjects(storage, tenant.id, partial);
  const stored = new Map(files.map(({ key, sha256 }) => [key, sha256]));
  const manifest: Manifest = {
    format: 1,
    tenant: { id: tenant.id, slug: tenant.slug },
    exportedAt,
    tables,
    files,
    missing: [...hashes.keys()].filter((key) => !stored.has(key)),
    altered: [...hashes].filter(([key, sha256]) => (stored.get(key) ?? sha256) !== sha256).map(([key]) => key),
  };
  await write(partial, 'manifest.json', [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
  await rename(partial, folder);
  return manifest;
}

async function writeTables(trx: TenantTransaction, folder: string) {
  await trx.raw(`set local time zone 'UTC'`);
  const tables: Manifest['tables'][number][] = [];
  for (const table of TENANT_TABLES) {
    if (table.exported.length === 0) continue;
    const { name, withheld, redacted } = table;
    let rows = 0;
    const lines = linesOf(trx, table, (count) => (rows += count));
    const file = await write(folder, `tables/${name}.jsonl`, lines);
    tables.push({ table: name, rows, ...file, withheld, redacted: Object.keys(redacted) });
  }
  const { rows: known } = await trx.raw<{ rows: { key: string; sha256: string }[] }>(
    `select storage_key as key, sha256 from files where tenant_id = current_setting('app.tenant_id') order by 1`,
  );
  const { rows: now } = await trx.raw<{ rows: { at: Date }[] }>('select now() as at');
  const exportedAt = (now[0]?.at ?? new Date()).toISOString();
  return { tables, hashes: new Map(known.map(({ key, sha256 }) => [key, sha256])), exportedAt };
}

async function* linesOf(
  trx: TenantTransaction,
  { name, key, exported, redacted }: TenantTable,
  onPage: (rows: number) => void,
): AsyncGenerator<Buffer> {
  const columns = exported.map((column) => (redacted[column] ? `${redacted[column]} as ${column}` : column));
  const tenantKey = name === 'tenants' ? 'id' : 'tenant_id';
  // PostgreSQL writes the JSON: a number of JavaScript would not hold every numeric.
  await trx.raw(
    `declare exported cursor for select row_to_json(r)::text as line
       from (select ${columns.join(', ')} from ${name} where ${tenantKey} = current_setting('app.tenant_id')
              order by ${key.join(', ')}) r`,
  );
  for (;;) {
    const { rows } = await trx.raw<{ rows: { line: string }[] }>(NEXT_ROWS);
    if (rows.length === 0) break;
    onPage(rows.length);
    yield Buffer.from(rows.map(({ line }) => `${line}\n`).join(''));
  }
  await trx.raw('close exported');
}

async function writeObjects(storage: ExportDeps['storage'], tenantId: string, folder: string) {
  const files: Manifest['files'][number][] = [];
  for await (const keys of objectsOf(storage, tenantId)) {
    for (const key of keys) {
      const content = await contentOf(storage, key);
      if (!content) continue;
      // Keys are of our own making; encoding keeps any other from leaving the folder.
      const parts = key.slice(folderOf(tenantId).length).split('/');
      const path = ['files', ...parts.map((part) => encodeURIComponent(part).replace(/^\.+$/, '_'))].join('/');
      files.push({ key, ...(await write(folder, path, [content])) });
    }
  }
  return files;
}

/** Undefined for an object that was removed after it was listed. */
async function contentOf(storage: ExportDeps['storage'], key: string): Promise<Buffer | undefined> {
  try {
    return await storage.get(key);
  } catch (error) {
    if (await storage.exists(key)) throw error;
    return undefined;
  }
}

/** Writes a file that only its owner can read. */
async function write(
  folder: string,
  path: string,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<ExportedFile> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  await using file = await open(target, 'wx', 0o600);
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    await file.writeFile(chunk);
  }
  // A folder that got its name must be complete after a power failure, too.
  await file.sync();
  return { path, bytes, sha256: hash.digest('hex') };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
