import { defineQuery, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { utcText } from '../domain/utc-text.ts';
import { queries, type ReminderRef, type ReminderResult, type UpcomingTimer } from './contract.ts';
import { reminderActivities } from './policies.ts';

const upcomingTimers = defineQuery<readonly UpcomingTimer[]>(queries.upcomingTimers);

/** A reminder that an automation made: waits until it is due, then tells the quote's creator. The row decides. */
export async function remind(reminder: ReminderRef): Promise<ReminderResult> {
  let upcoming: readonly UpcomingTimer[] = [];
  setHandler(upcomingTimers, () => upcoming, { description: 'Lo que espera el recordatorio' });

  const waiting = await reminderActivities.readReminder.executeWithOptions({ summary: 'Leer el recordatorio' }, [
    reminder,
  ]);
  if (!waiting) return { outcome: 'closed' };
  const { quoteNumber, dueAt } = waiting;
  setCurrentDetails(
    `**${quoteLabel(quoteNumber)}** · recordatorio\n\n- Espera hasta el ${utcText(dueAt)}; entonces avisa a quien hizo la cotización`,
  );
  const waitMs = Date.parse(dueAt) - Date.now();
  if (waitMs > 0) {
    upcoming = [{ name: 'Recordatorio', at: dueAt }];
    await sleep(waitMs, { summary: `Recordatorio, el ${utcText(dueAt)}` });
    upcoming = [];
  }
  const outcome = await reminderActivities.fireReminder.executeWithOptions(
    { summary: 'Avisar a quien hizo la cotización' },
    [reminder],
  );
  return { outcome };
}
