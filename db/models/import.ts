import type { ImportKind, ImportStatus, OnDuplicate } from '../../domain/imports.ts';
import { Row } from './row.ts';

/** An import of clients or products, all rows or none. */
export class Import extends Row {
  static override readonly tableName = 'imports';

  declare id: string;
  declare tenantId: string;
  declare userId: string;
  declare actor: 'user' | 'key';
  declare requestId: string;
  declare kind: ImportKind;
  declare status: ImportStatus;
  declare isDryRun: boolean;
  declare onDuplicate: OnDuplicate;
  declare total: number;
  declare done: number;
  declare created: number;
  declare skipped: number;
  declare problems: string; //        JSON: ImportProblem[]
  declare content: Buffer | null; //  compressed rows, until it has ended
  declare createdAt: Date;
  declare completedAt: Date | null;
}
