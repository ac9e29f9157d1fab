import { Row } from './row.ts';
import type { EventType } from '../../domain/event-types.ts';

/** An event, written in the transaction in which it happened. */
export class OutboxEvent extends Row {
  static override readonly tableName = 'outboxEvents';

  declare id: string;
  declare tenantId: string;
  declare sequence: string; //         bigint
  declare type: EventType;
  declare quoteId: string | null;
  declare payload: string; //          the body that webhooks receive
  declare rootEventId: string;
  declare depth: number;
  declare automationPath: string;
  declare requestId: string | null;
  declare traceparent: string | null;
  declare createdAt: Date;
  declare fannedOutAt: Date | null;
  declare fanOutAfter: Date;
  declare dispatchedAt: Date | null;
  declare dispatchFailures: number;
  declare dispatchAfter: Date;
}
