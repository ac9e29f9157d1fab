import type { SubscribableEvent } from '../../domain/event-types.ts';
import { Row } from './row.ts';

/** One row of `webhooks`: an address that hears of events. */
export class Webhook extends Row {
  static override readonly tableName = 'webhooks';

  declare id: string;
  declare tenantId: string;
  declare url: string;
  declare events: SubscribableEvent[]; //          text[] + check
  declare secretSealed: string; //                 encrypted, with the id as context
  declare secretLast4: string;
  declare previousSecretSealed: string | null;
  declare previousValidUntil: Date | null;
  declare isActive: boolean;
  declare failingSince: Date | null;
  declare consecutiveFailures: number;
  declare nextProbeAt: Date | null; //             the circuit is open: not before
  declare nextSlotAt: Date | null; //              the last slot reserved by a throttled delivery
  declare createdAt: Date;
  declare updatedAt: Date;
}
