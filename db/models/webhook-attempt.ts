import type { NoAnswer } from '../../domain/http-delivery.ts';
import { Row } from './row.ts';

/** One row of `webhook_attempts`: one call to a webhook's address. */
export class WebhookAttempt extends Row {
  static override readonly tableName = 'webhookAttempts';

  declare id: string;
  declare tenantId: string;
  declare deliveryId: string;
  declare number: number; //               from 1
  declare claimToken: string;
  declare statusCode: number | null;
  declare responseBody: string | null;
  declare errorCode: NoAnswer | null;
  declare durationMs: number | null;
  declare startedAt: Date;
  declare finishedAt: Date | null;
}
