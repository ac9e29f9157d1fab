import type { Trigger } from '../../domain/automation.ts';
import { Row } from './row.ts';

/** One row of `automations`: what is done when something happens to a quote. */
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
