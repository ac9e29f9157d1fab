import type { AutomationLogStatus } from '../../domain/automation.ts';
import { Row } from './row.ts';

/** One automation run: one execution of an automation, for one event. */
export class AutomationLog extends Row {
  static override readonly tableName = 'automationLogs';

  declare id: string;
  declare tenantId: string;
  declare automationId: string;
  declare quoteId: string;
  declare eventId: string; //               unique with the automation
  declare status: AutomationLogStatus; //   text + check
  declare conditions: string; //            JSON, as it was when triggered
  declare actions: string; //               JSON, as it was when triggered
  declare delayMinutes: number;
  declare error: string | null;
  declare triggeredAt: Date;
  declare completedAt: Date | null;
  declare dispatchedAt: Date | null;
  declare dispatchFailures: number;
  declare dispatchAfter: Date;
}
