import { ChildUnavailable } from '../../adapters/child-process/run-job.ts';
import { SpreadsheetRefused } from '../../adapters/spreadsheets/refused.ts';
import type { Table } from '../../adapters/spreadsheets/table.ts';
import { newId } from '../../db/ids.ts';
import { packContent } from '../../db/import-content.ts';
import { Import } from '../../db/models/import.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { violatedConstraint } from '../../db/violated-constraint.ts';
import { closeImport, importRecords } from '../../db/writes/import-records.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { importNotFound, importRefused, importRunning, unavailable } from '../../domain/errors.ts';
import { type ImportKind, MAX_IMMEDIATE_ROWS } from '../../domain/imports.ts';
import type { Deps } from '../deps.ts';
import type { Transact } from '../route.ts';
import { ignoredMembersHeader } from '../unknown-members.ts';
import { checkRows } from './check-rows.ts';
import { importBody } from './present.ts';
import type { ImportQuery } from './schema.ts';

interface ImportInput {
  readonly kind: ImportKind;
  readonly file: Buffer;
  readonly query: ImportQuery;
  readonly signal: AbortSignal;
  readonly transact: Transact;
}

/** Imports a file: a small one at once, a large one in a workflow. Both leave a row with the report. */
export async function startImport(deps: Deps, caller: Caller, { kind, file, query, signal, transact }: ImportInput) {
  const table = await read(deps, caller, { kind, file, signal });
  const { currency } = await deps.withTenant(caller.tenantId, (trx) =>
    Tenant.query(trx).findById(caller.tenantId).throwIfNotFound(),
  );
  const { content, problems } = await checkRows(kind, table, { plan: caller.plan, currency });
  const isLarge = table.rows.length > MAX_IMMEDIATE_ROWS;
  const isValid = problems.length === 0;
  const packed = isLarge && isValid ? await packContent(content) : null;
  const headers: Record<string, string> =
    table.ignored.length > 0 ? { 'X-Ignored-Members': ignoredMembersHeader(table.ignored) } : {};

  return transact<ImportResponse>(async (trx) => {
    const row = await insertImport(trx, caller, { kind, query, total: table.rows.length, content: packed });
    if (!isValid) await closeImport(trx, row, { status: 'FAILED', problems });
    else if (!isLarge) await importRecords(trx, row, content);
    else {
      // The event's id is the import's: the dispatcher needs nothing else.
      const { requestId } = caller;
      await recordEvent(trx, { id: row.id, type: 'import.requested', data: { importId: row.id }, requestId });
    }
    if (isLarge) return { status: 202, body: { id: row.id }, headers };
    return { status: 200, body: importBody(await findImport(trx, caller.tenantId, row.id)), headers };
  });
}

/** The report of a small file, or the id of a large file's import. */
type ImportResponse = { readonly headers: Record<string, string> } & (
  | { readonly status: 200; readonly body: ReturnType<typeof importBody> }
  | { readonly status: 202; readonly body: { readonly id: string } }
);

async function read(
  { spreadsheets }: Deps,
  { tenantId }: Caller,
  { kind, file, signal }: Pick<ImportInput, 'kind' | 'file' | 'signal'>,
): Promise<Table> {
  try {
    return await spreadsheets.read({ file, kind }, { key: tenantId, signal });
  } catch (error) {
    if (error instanceof SpreadsheetRefused) throw importRefused(error.message, error);
    throw error instanceof ChildUnavailable ? unavailable(error) : error;
  }
}

/** Writes the row of a running import. Throws `conflict` if the business has one. */
async function insertImport(
  trx: TenantTransaction,
  { tenantId, userId, requestId, credential }: Caller,
  { kind, query, total, content }: { kind: ImportKind; query: ImportQuery; total: number; content: Buffer | null },
): Promise<Import> {
  try {
    return await Import.query(trx).insertAndFetch({
      id: newId(),
      tenantId,
      userId,
      actor: credential.kind === 'key' ? 'key' : 'user',
      requestId,
      kind,
      status: 'RUNNING',
      isDryRun: query.dryRun,
      onDuplicate: query.onDuplicate,
      total,
      content,
    });
  } catch (error) {
    if (violatedConstraint(error) === 'imports_running') throw importRunning();
    throw error;
  }
}

/** Finds an import of the business; throws a 404. */
export async function findImport(trx: TenantTransaction, tenantId: string, importId: string): Promise<Import> {
  const row = await Import.query(trx).findOne({ tenantId, id: importId });
  if (!row) throw importNotFound();
  return row;
}
