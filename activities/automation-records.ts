import { newId } from '../db/ids.ts';
import { Label } from '../db/models/label.ts';
import type { AutomationLog } from '../db/models/automation-log.ts';
import { OutboxEvent } from '../db/models/outbox-event.ts';
import { Quote } from '../db/models/quote.ts';
import { QuoteLabel } from '../db/models/quote-label.ts';
import { Reminder } from '../db/models/reminder.ts';
import { databaseTime } from '../db/reads/database-time.ts';
import { changeQuoteStatus } from '../db/writes/change-quote-status.ts';
import { notify, ownersAnd } from '../db/writes/notify.ts';
import { markActionDone } from '../db/writes/action-ledger.ts';
import { markQuotesChanged } from '../db/writes/mark-quotes-changed.ts';
import { recordAudit } from '../db/writes/record-audit.ts';
import type { Cause } from '../db/writes/record-event.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import { chainAfter, MAX_DEPTH } from '../domain/automation-chain.ts';
import type { Actor } from '../domain/caller.ts';
import { canMove } from '../domain/quote-status.ts';
import { renderLine, renderText } from '../domain/template-text.ts';
import type { RemindStart } from '../workflows/contract.ts';
import { failures } from '../workflows/failures.ts';
import { type ActionRef, factsOf, readAction } from './automation-action.ts';
import { permanent } from './permanent-failure.ts';
import { currentExecution } from './current-execution.ts';
import type { ActivityDeps } from './deps.ts';

const MINUTE_MS = 60_000;

/** Actions that are a change in PostgreSQL: the change and the note that it was made are one transaction. */
export const createAutomationRecordActivities = ({
  withTenant,
  ...deps
}: Pick<ActivityDeps, 'withTenant' | 'secrets' | 'publicUrl'>) => ({
  /** send_notification: to every active owner. */
  async notifyOwners(ref: ActionRef): Promise<void> {
    await withTenant(ref.tenantId, async (trx) => {
      const { action, quote, log } = await readAction(trx, ref, 'send_notification');
      if (!(await markActionDone(trx, ref))) return;
      const owners = await ownersAnd(trx, null);
      if (owners.length === 0) throw permanent(failures.noRecipient, 'el negocio no tiene dueños activos');
      const facts = await factsOf(trx, quote, deps);
      await notify(trx, owners, {
        type: 'automation',
        title: renderLine(action.title, facts),
        body: renderText(action.body, facts),
        metadata: { quoteId: quote.id, quoteNumber: quote.quoteNumber, automationId: log.automationId },
        about: `${ref.logId}.${ref.index}`,
      });
    });
  },

  /** change_status: a move that automations may make; nothing when the quote is there already. */
  async moveQuote(ref: ActionRef): Promise<void> {
    await withTenant(ref.tenantId, async (trx) => {
      const { action, quote, log } = await readAction(trx, ref, 'change_status');
      if (!(await markActionDone(trx, ref))) return;
      // Locked and read again, so that a concurrent decision of the client is not overwritten.
      const { tenantId } = ref;
      const { status } = await Quote.query(trx).findOne({ tenantId, id: quote.id }).forUpdate().throwIfNotFound();
      const { newStatus } = action;
      if (status === newStatus) return;
      if (!canMove('automation', status, newStatus)) {
        throw permanent(failures.moveRefused, `No se puede cambiar de ${status} a ${newStatus}`);
      }
      const event = await OutboxEvent.query(trx).findOne({ tenantId, id: log.eventId });
      const actor = automation(tenantId, event?.requestId);
      await changeQuoteStatus(trx, actor, quote.id, newStatus, { cause: causeOf(log, event) });
    });
  },

  /** add_label: nothing when the quote has it already. */
  async labelQuote(ref: ActionRef): Promise<void> {
    await withTenant(ref.tenantId, async (trx) => {
      const { tenantId } = ref;
      const { action, quote } = await readAction(trx, ref, 'add_label');
      if (!(await markActionDone(trx, ref))) return;
      const { labelId } = action;
      // The lock order of labelling by hand: the label, then the quote.
      const label = await Label.query(trx).findOne({ tenantId, id: labelId }).forShare();
      await Quote.query(trx).findOne({ tenantId, id: quote.id }).forUpdate().throwIfNotFound();
      if (!label) throw permanent(failures.labelGone, 'la etiqueta ya no existe');
      const key = { tenantId, quoteId: quote.id, labelId };
      if (await QuoteLabel.query(trx).findOne(key)) return;
      await QuoteLabel.query(trx).insert(key);
      await markQuotesChanged(trx, [quote.id]);
      await recordAudit(trx, automation(tenantId), {
        action: 'update',
        entity: 'quote',
        entityId: quote.id,
        metadata: { quoteNumber: quote.quoteNumber, labelAdded: { id: labelId, name: label.name } },
      });
    });
  },

  /** create_reminder: the row, for the quote's creator. Returns what starting its timer needs; the same again. */
  async createReminder(ref: ActionRef): Promise<RemindStart> {
    return withTenant(ref.tenantId, async (trx) => {
      const { action, quote, log } = await readAction(trx, ref, 'create_reminder');
      if (await markActionDone(trx, ref)) {
        const facts = await factsOf(trx, quote, deps);
        await Reminder.query(trx).insert({
          id: newId(),
          tenantId: ref.tenantId,
          quoteId: quote.id,
          userId: quote.userId,
          automationId: log.automationId,
          logId: ref.logId,
          actionIndex: ref.index,
          message: renderText(action.message, facts),
          dueAt: new Date((await databaseTime(trx)).getTime() + action.delayMinutes * MINUTE_MS),
        });
      }
      return reminderOf(trx, ref, quote.quoteNumber);
    });
  },
});
export type AutomationRecordActivities = ReturnType<typeof createAutomationRecordActivities>;

async function reminderOf(
  trx: TenantTransaction,
  { tenantId, logId, index }: ActionRef,
  quoteNumber: number,
): Promise<RemindStart> {
  const { id, quoteId, automationId, dueAt } = await Reminder.query(trx)
    .findOne({ tenantId, logId, actionIndex: index })
    .throwIfNotFound();
  return { tenantId, reminderId: id, quoteId, quoteNumber, automationId, dueAt: dueAt.toISOString() };
}

const automation = (tenantId: string, requestId: string | null = null): Actor => ({
  tenantId,
  userId: null,
  kind: 'automation',
  movesQuotesAs: 'automation',
  requestId,
  run: currentExecution(),
});

/** The place of what a run changes. When the event that triggered it has been forgotten, the chain ends here. */
const causeOf = ({ eventId, automationId }: AutomationLog, event: OutboxEvent | undefined): Cause =>
  event
    ? { rootEventId: event.rootEventId, ...chainAfter(automationId, event) }
    : { rootEventId: eventId, depth: MAX_DEPTH, automationPath: automationId };
