import { actionTexts } from './action-texts.ts';
import type { AutomationAction, Trigger } from './automation.ts';
import type { Detail } from './errors.ts';
import type { QuoteStatus } from './quote-status.ts';
import { mentions } from './template-text.ts';

/** When an automation may insert `{{quote.url}}`, the address of the client's page. */

const membersWithLink = (action: AutomationAction): readonly string[] =>
  Object.entries(actionTexts(action)).flatMap(([member, text]) => (mentions(text, 'quote.url') ? [member] : []));

/** Why an action is skipped because of the link in its texts; undefined when it is not. */
export function linkRefusal(
  action: AutomationAction,
  { status, linkWithheld }: { readonly status: QuoteStatus; readonly linkWithheld: boolean },
): string | undefined {
  if (membersWithLink(action).length === 0) return undefined;
  if (status === 'GENERATED') return 'la cotización no se ha enviado y su enlace no abre todavía';
  if (linkWithheld) return 'la cotización se revisó para otro cliente y no se le ha compartido';
  return undefined;
}

/** The warning for an automation whose actions mention the link although the quote may not have been sent. */
export function linkWarnings(trigger: Trigger, actions: readonly AutomationAction[]): readonly Detail[] {
  if (trigger !== 'QUOTE_CREATED') return [];
  const sent = actions.findIndex((action) => action.type === 'change_status' && action.newStatus === 'SENT');
  return actions.slice(0, sent === -1 ? undefined : sent).flatMap((action, index) =>
    membersWithLink(action).map((member) => ({
      path: `actions.${index}.${member}`,
      message: 'el enlace de la cotización no abre hasta que se envía: mientras tanto la acción se omite',
    })),
  );
}
