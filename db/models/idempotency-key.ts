import { Row } from './row.ts';

/** A request with an Idempotency-Key, kept for 24 hours. */
export class IdempotencyKey extends Row {
  static override readonly tableName = 'idempotencyKeys';
  static override readonly idColumn = ['tenantId', 'scope'];

  declare tenantId: string;
  declare scope: string; //                 SHA-256 over actor, route and key, hex
  declare fingerprint: string; //           SHA-256 of the checked request, hex
  declare attemptId: string;
  declare answerSealed: string | null; //   null while the request runs
  declare startedAt: Date;
  declare createdAt: Date;
}
