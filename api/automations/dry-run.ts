import { automationFacts } from '../../db/reads/automation-facts.ts';
import { Label } from '../../db/models/label.ts';
import { User } from '../../db/models/user.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { assertNever } from '../../domain/assert-never.ts';
import type { AutomationAction, AutomationFacts } from '../../domain/automation.ts';
import type { Caller } from '../../domain/caller.ts';
import { allHold, evaluateCondition } from '../../domain/conditions.ts';
import { canMove } from '../../domain/quote-status.ts';
import { renderLine, renderText } from '../../domain/template-text.ts';
import type { Deps } from '../deps.ts';
import { linkOf } from '../quotes/public-link.ts';
import { findVisibleQuote } from '../quotes/queries.ts';
import { actionsOf, conditionsOf } from './present.ts';
import { findAutomation } from './queries.ts';

/** Dry run of an automation for a quote: which conditions hold and what the actions would do. Has no effects. */
export async function testAutomation(
  deps: Deps,
  trx: TenantTransaction,
  caller: Caller,
  { automationId, quoteId }: { automationId: string; quoteId: string },
) {
  const automation = await findAutomation(trx, caller.tenantId, automationId);
  const quote = await findVisibleQuote(trx, caller, quoteId);
  const { url } = await linkOf(deps, trx, caller, quoteId);
  const facts = await automationFacts(trx, quote, url);
  const owners = await User.query(trx)
    .where({ tenantId: caller.tenantId, role: 'OWNER', isActive: true })
    .orderBy('createdAt');
  const labels = await Label.query(trx).where({ tenantId: caller.tenantId });

  const results = conditionsOf(automation).map((condition) => evaluateCondition(condition, facts));
  return {
    matched: allHold(results),
    conditions: results.map(({ condition: { field, operator, value }, actual, holds }) => ({
      field,
      operator,
      value: value ?? null,
      actual,
      holds,
    })),
    actions: actionsOf(automation).map((action) => ({
      type: action.type,
      preview: preview(action, facts, { owners: owners.map((owner) => owner.email), labels }),
    })),
  };
}

function preview(
  action: AutomationAction,
  facts: AutomationFacts,
  { owners, labels }: { owners: readonly string[]; labels: readonly Label[] },
): string {
  switch (action.type) {
    case 'send_email': {
      const to = { client: facts.client.email, owner: owners.join(', '), custom: action.customEmail }[action.to];
      const recipient = to ? `Correo a ${to}` : 'Correo a nadie, porque el cliente no tiene';
      return `${recipient}: ${renderLine(action.subject, facts)}\n\n${renderText(action.body, facts)}`;
    }
    case 'send_notification':
      return `Notificación al dueño: ${renderLine(action.title, facts)}\n\n${renderText(action.body, facts)}`;
    case 'change_status':
      return statusPreview(facts.quote.status, action.newStatus);
    case 'add_label': {
      const label = labels.find(({ id }) => id === action.labelId);
      return label ? `Etiqueta: ${label.name}` : 'Etiqueta que ya no existe';
    }
    case 'create_reminder':
      return `Recordatorio en ${action.delayMinutes} minutos: ${renderText(action.message, facts)}`;
    case 'fire_webhook':
      return `POST ${action.url} ${action.includeItems ? 'con' : 'sin'} partidas`;
    default:
      return assertNever(action);
  }
}

function statusPreview(from: AutomationFacts['quote']['status'], to: AutomationFacts['quote']['status']): string {
  if (from === to) return `El estado ya es ${to}`;
  return canMove('automation', from, to) ? `Estado: de ${from} a ${to}` : `No se puede cambiar de ${from} a ${to}`;
}
