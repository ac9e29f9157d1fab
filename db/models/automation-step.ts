import { Row } from './row.ts';

/** An effect that an automation run had, or may have had. */
export class AutomationStep extends Row {
  static override readonly tableName = 'automationSteps';
  static override readonly idColumn = ['tenantId', 'logId', 'actionIndex', 'part'];

  declare tenantId: string;
  declare logId: string;
  declare actionIndex: number; //   from 0
  declare part: string; //          '' or the recipient of a mail
  declare startedAt: Date;
  declare doneAt: Date | null;
  declare attempts: number; //      in the row without a part; 0 where the action is attempted once
}
