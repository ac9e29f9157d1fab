import { Quote } from '../db/models/quote.ts';
import { Reminder } from '../db/models/reminder.ts';
import { Tenant } from '../db/models/tenant.ts';
import { User } from '../db/models/user.ts';
import { notify } from '../db/writes/notify.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { hasFeature } from '../domain/plans.ts';
import { displayNumber } from '../domain/quote-number.ts';
import type { ReminderRef } from '../workflows/contract.ts';

/** A reminder that waits. */
export interface WaitingReminder {
  readonly quoteNumber: number;
  /** ISO 8601. */
  readonly dueAt: string;
}

export const createReminderActivities = ({ withTenant }: { withTenant: WithTenant }) => ({
  /** When it is due; undefined when it fired or was cancelled already. */
  async readReminder({ tenantId, reminderId }: ReminderRef): Promise<WaitingReminder | undefined> {
    return withTenant(tenantId, async (trx) => {
      const reminder = await Reminder.query(trx).findOne({ tenantId, id: reminderId, status: 'PENDING' });
      if (!reminder) return undefined;
      const quote = await Quote.query(trx).findOne({ tenantId, id: reminder.quoteId }).throwIfNotFound();
      return { quoteNumber: quote.quoteNumber, dueAt: reminder.dueAt.toISOString() };
    });
  },

  /**
   * Notifies the quote's creator, once. On a plan without automations, or without an active member to notify, the reminder
   * is cancelled instead.
   */
  async fireReminder({ tenantId, reminderId }: ReminderRef): Promise<'fired' | 'cancelled' | 'closed'> {
    return withTenant(tenantId, async (trx) => {
      const reminder = await Reminder.query(trx).findOne({ tenantId, id: reminderId, status: 'PENDING' }).forUpdate();
      if (!reminder) return 'closed';
      const { plan } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
      const quote = await Quote.query(trx).findOne({ tenantId, id: reminder.quoteId }).throwIfNotFound();
      // The quote may have been reassigned since the reminder was set.
      const creator = await User.query(trx).findOne({ tenantId, id: quote.userId, isActive: true });
      const close = (columns: Partial<Reminder>) =>
        Reminder.query(trx).findOne({ tenantId, id: reminderId }).patch(columns);
      if (!creator || !hasFeature(plan, 'automations')) {
        await close({ status: 'CANCELLED' });
        return 'cancelled';
      }
      await close({ status: 'FIRED', firedAt: new Date() });
      await notify(trx, [creator.id], {
        type: 'reminder',
        title: `Recordatorio: ${displayNumber(quote)}`,
        body: reminder.message,
        metadata: { quoteId: quote.id, quoteNumber: quote.quoteNumber, reminderId },
        about: reminderId,
      });
      return 'fired';
    });
  },
});
export type ReminderActivities = ReturnType<typeof createReminderActivities>;
