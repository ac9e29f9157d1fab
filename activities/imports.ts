import { unpackContent } from '../db/import-content.ts';
import { Import } from '../db/models/import.ts';
import { closeImport, findRunningImport, importRecords } from '../db/writes/import-records.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import type { ImportRef, ImportResult } from '../workflows/contract.ts';

const GIVEN_UP = 'la importación no se pudo completar y no se guardó ninguna fila; inténtelo de nuevo';

/** Another attempt has closed the import: this transaction is rolled back. */
class ImportClosed extends Error {
  override readonly name = 'ImportClosed';
}

export const createImportActivities = ({ withTenant }: { readonly withTenant: WithTenant }) => ({
  /** Saves all rows or none; the row of the import is closed in the same transaction. */
  async importAllRows({ tenantId, importId }: ImportRef): Promise<ImportResult> {
    const running = await withTenant(tenantId, (trx) => findRunningImport(trx, tenantId, importId));
    if (!running?.content) return { outcome: 'closed' };
    const content = await unpackContent(running.content);
    const progress = createProgress(withTenant, { tenantId, importId });
    try {
      await withTenant(tenantId, async (trx) => {
        if (!(await importRecords(trx, running, content, { onProgress: progress.report }))) throw new ImportClosed();
      });
    } catch (error) {
      if (error instanceof ImportClosed) return { outcome: 'closed' };
      throw error;
    }
    await progress.settled();
    const { status } = await withTenant(tenantId, (trx) =>
      Import.query(trx).findOne({ tenantId, id: importId }).throwIfNotFound(),
    );
    return { outcome: status === 'COMPLETED' ? 'completed' : 'failed' };
  },

  /** After the last attempt: nothing was saved, and the report says so. */
  async giveUpImport({ tenantId, importId }: ImportRef): Promise<ImportResult> {
    const isClosed = await withTenant(tenantId, async (trx) => {
      const running = await findRunningImport(trx, tenantId, importId);
      const problems = [{ row: 1, column: null, message: GIVEN_UP }];
      return running !== undefined && closeImport(trx, running, { status: 'FAILED', problems });
    });
    return { outcome: isClosed ? 'failed' : 'closed' };
  },
});
export type ImportActivities = ReturnType<typeof createImportActivities>;

/**
 * Writes how far the open transaction is, in transactions of its own. At most one is under way, and a failed one is left
 * out: nothing depends on it.
 */
function createProgress(withTenant: WithTenant, { tenantId, importId }: ImportRef) {
  let writing: Promise<unknown> | undefined;
  const write = (done: number) =>
    withTenant(tenantId, (trx) =>
      Import.query(trx).where({ tenantId, id: importId, status: 'RUNNING' }).patch({ done }),
    );
  return {
    report: (done: number): void => {
      writing ??= write(done)
        .catch(() => undefined)
        .finally(() => (writing = undefined));
    },
    settled: async (): Promise<void> => {
      await writing;
    },
  };
}
