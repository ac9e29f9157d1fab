import { Row } from './row.ts';

/** One row of `automation_steps`: an effect that an automation's run had, or may have had. */
export class AutomationStep extends Row {
  static override readonly tableName = 'automationSteps';
  static override readonly idColumn = ['tenantId', 'logId', 'actionIndex', 'part'];

  declare tenantId: string;
  declare logId: string;
  declare actionIndex: number; //   from 0
  declare part: string; //          '' or whom a mail went to
  declare startedAt: Date;
  declare doneAt: Date | null;
  declare attempts: number; //      in the row without a part; 0 where the action is attempted once
}
