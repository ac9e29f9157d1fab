import type { Actor } from '../../domain/caller.ts';
import {
  type ClientValues,
  type ImportContent,
  type ImportKind,
  type ImportProblem,
  type ImportRow,
  keysOf,
  MAX_IMPORT_PROBLEMS,
  type ProductValues,
  withoutDuplicates,
} from '../../domain/imports.ts';
import { newId } from '../ids.ts';
import { Client } from '../models/client.ts';
import { Import } from '../models/import.ts';
import { Product } from '../models/product.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { recordAudit } from './record-audit.ts';

/** Rows of one statement. */
const BATCH = 500;

export interface ImportOptions {
  /** Called after each batch with the number of rows inserted so far; nothing is committed yet. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Imports all rows of a running import or none, and closes it, in the caller's transaction. Returns false when the import
 * was closed meanwhile: the transaction must then be rolled back.
 */
export async function importRecords(
  trx: TenantTransaction,
  running: Import,
  content: ImportContent,
  { onProgress = () => undefined }: ImportOptions = {},
): Promise<boolean> {
  const { tenantId, kind, onDuplicate, isDryRun } = running;
  const existing = await existingKeys(trx, tenantId, kind, content);
  const { rows, skipped, problems } = withoutDuplicates(kind, content, { existing, onDuplicate });
  if (problems.length > 0) return closeImport(trx, running, { status: 'FAILED', problems });
  if (!isDryRun) {
    for (let at = 0; at < rows.length; at += BATCH) {
      await insert(trx, tenantId, kind, rows.slice(at, at + BATCH));
      onProgress(Math.min(at + BATCH, rows.length));
    }
    if (rows.length > 0) await auditImport(trx, running, { created: rows.length, skipped });
  }
  return closeImport(trx, running, { status: 'COMPLETED', created: rows.length, skipped });
}

/** How an import ended. */
export type ImportEnd =
  | { readonly status: 'COMPLETED'; readonly created: number; readonly skipped: number }
  | { readonly status: 'FAILED'; readonly problems: readonly ImportProblem[] };

/**
 * Records how a running import ended and deletes its rows. Returns false when it had ended before: of two attempts that
 * run at the same time only one commits.
 */
export async function closeImport(
  trx: TenantTransaction,
  { id, tenantId, total }: Pick<Import, 'id' | 'tenantId' | 'total'>,
  end: ImportEnd,
): Promise<boolean> {
  const figures =
    end.status === 'COMPLETED'
      ? { done: total, created: end.created, skipped: end.skipped }
      : { done: 0, problems: JSON.stringify(end.problems.slice(0, MAX_IMPORT_PROBLEMS)) };
  const closed = await Import.query(trx)
    .where({ tenantId, id, status: 'RUNNING' })
    .patch({ status: end.status, ...figures, content: null, completedAt: new Date() });
  return closed > 0;
}

/** The import as long as it runs. */
export const findRunningImport = (
  trx: TenantTransaction,
  tenantId: string,
  importId: string,
): Promise<Import | undefined> => Import.query(trx).findOne({ tenantId, id: importId, status: 'RUNNING' }).execute();

/** Those keys of the rows that records of the business have, active or not. */
async function existingKeys(
  trx: TenantTransaction,
  tenantId: string,
  kind: ImportKind,
  content: ImportContent,
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(keysOf(kind, content).filter((key) => key !== null))];
  if (keys.length === 0) return new Set();
  // The folding of foldEmailAddress().
  const [table, key] = kind === 'clients' ? ['clients', 'lower(email collate "C")'] : ['products', 'model_sku'];
  const { rows } = await trx.raw<{ rows: { key: string }[] }>(
    `select distinct ${key} as key from ${table} where tenant_id = :tenantId and ${key} = any(:keys)`,
    { tenantId, keys },
  );
  return new Set(rows.map((row) => row.key));
}

async function insert(
  trx: TenantTransaction,
  tenantId: string,
  kind: ImportKind,
  rows: readonly ImportRow[],
): Promise<void> {
  const records = rows.map(({ values }) => ({ id: newId(), tenantId, ...values }));
  // `kind` decides which values the rows have.
  if (kind === 'clients')
    await Client.query(trx).insert(records as (ClientValues & { id: string; tenantId: string })[]);
  else await Product.query(trx).insert(records as (ProductValues & { id: string; tenantId: string })[]);
}

/** One entry for the whole import. */
async function auditImport(
  trx: TenantTransaction,
  { id, tenantId, userId, actor: kind, requestId, kind: records }: Import,
  counts: { readonly created: number; readonly skipped: number },
): Promise<void> {
  const actor: Omit<Actor, 'movesQuotesAs'> = { tenantId, userId, kind, requestId };
  await recordAudit(trx, actor, {
    action: 'import',
    entity: records === 'clients' ? 'client' : 'product',
    entityId: id,
    metadata: counts,
  });
}
