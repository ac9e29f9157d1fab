import type { Import } from '../../db/models/import.ts';
import type { ImportProblem } from '../../domain/imports.ts';
import type { ResponseBody } from '../schema.ts';
import type { ImportBody } from './schema.ts';

/** The report of an import. */
export const importBody = (row: Import): ResponseBody<typeof ImportBody> => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  dryRun: row.isDryRun,
  total: row.total,
  done: row.done,
  created: row.created,
  skipped: row.skipped,
  // Written by the import itself.
  errors: JSON.parse(row.problems) as readonly ImportProblem[],
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
});
