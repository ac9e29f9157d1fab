import type { Automation } from '../../db/models/automation.ts';
import type { AutomationLog } from '../../db/models/automation-log.ts';
import type { AutomationAction } from '../../domain/automation.ts';
import { linkWarnings } from '../../domain/client-link.ts';
import type { Condition } from '../../domain/conditions.ts';
import { withWarnings } from '../warnings.ts';
import type { ResponseBody } from '../schema.ts';
import type { ListedAutomation } from './queries.ts';
import type { AutomationLogBody, AutomationSummary, AutomationWithLogs, SavedAutomation } from './schema.ts';

// Only bodies that passed their schemas are stored.
export const conditionsOf = ({ conditions }: Pick<Automation, 'conditions'>) =>
  JSON.parse(conditions) as readonly Condition[];
export const actionsOf = ({ actions }: Pick<Automation, 'actions'>) =>
  JSON.parse(actions) as readonly AutomationAction[];

const automationBody = (automation: Automation) => ({
  id: automation.id,
  name: automation.name,
  trigger: automation.trigger,
  isActive: automation.isActive,
  conditions: conditionsOf(automation),
  actions: actionsOf(automation),
  delayMinutes: automation.delayMinutes,
  createdAt: automation.createdAt.toISOString(),
  updatedAt: automation.updatedAt.toISOString(),
});

/** With warnings, if there are any. */
export function savedAutomation(automation: Automation): ResponseBody<typeof SavedAutomation> {
  const body = automationBody(automation);
  return withWarnings(body, linkWarnings(body.trigger, body.actions));
}

export const automationSummary = (automation: ListedAutomation): ResponseBody<typeof AutomationSummary> => ({
  ...automationBody(automation),
  _count: { logs: automation.logCount },
  lastRun: automation.lastRun ? logBody(automation.lastRun) : null,
});

export const automationWithLogs = (
  automation: Automation,
  logs: readonly AutomationLog[],
): ResponseBody<typeof AutomationWithLogs> => ({
  ...automationBody(automation),
  logs: logs.map(logBody),
});

export const logBody = (log: AutomationLog): ResponseBody<typeof AutomationLogBody> => ({
  id: log.id,
  automationId: log.automationId,
  quoteId: log.quoteId,
  tenantId: log.tenantId,
  status: log.status,
  triggeredAt: log.triggeredAt.toISOString(),
  completedAt: log.completedAt?.toISOString() ?? null,
  error: log.error,
});
