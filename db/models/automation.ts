import type { Trigger } from '../../domain/automation.ts';
import { Row } from './row.ts';

/** The actions to run when an event of a quote matches. */
export class Automation extends Row {
  static override readonly tableName = 'automations';

  declare id: string;
  declare tenantId: string;
  declare name: string;
  declare trigger: Trigger; //       text + check
  declare isActive: boolean;
  declare conditions: string; //     JSON: Condition[]
  declare actions: string; //        JSON: AutomationAction[]
  declare delayMinutes: number;
  declare createdAt: Date;
  declare updatedAt: Date;
}
