import type { NotificationType } from '../../domain/notifications.ts';
import { Row } from './row.ts';

/** A notification of one member. */
export class Notification extends Row {
  static override readonly tableName = 'notifications';

  declare id: string;
  declare tenantId: string;
  declare userId: string;
  declare type: NotificationType; //  text + check
  declare title: string;
  declare body: string;
  declare metadata: string; //        JSON text
  declare eventId: string; //         an outbox event, or a step of an automation run
  declare readAt: Date | null;
  declare createdAt: Date;
}
