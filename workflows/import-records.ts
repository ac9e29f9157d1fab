import { ActivityFailure, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { ImportRef, ImportResult } from './contract.ts';
import { importRecord, imports } from './policies.ts';

/** One import: all rows in one transaction. The row says how it ended. */
export async function importRecords(ref: ImportRef): Promise<ImportResult> {
  setCurrentDetails('Guarda todas las filas en una transacción: todas o ninguna');
  try {
    return await imports.importAllRows.executeWithOptions({ summary: 'Guardar las filas' }, [ref]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return importRecord.giveUpImport.executeWithOptions({ summary: 'Anotar que no se pudo' }, [ref]);
  }
}
