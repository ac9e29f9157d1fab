import type { WorkflowStartOptions } from '@temporalio/client';
import type { DispatcherDb } from '../db/dispatcher-db.ts';
import {
  openQuotes,
  type PageOf,
  type PageRequest,
  pendingDeliveries,
  pendingMails,
  pendingReminders,
  quotesWithMoments,
  reschedulings,
  triggeredAutomationRuns,
} from '../db/reads/unfinished-work.ts';
import { expiryStart, lifecycleStart, mailStart, remindStart, workflowIds } from '../workflows/contract.ts';
import { rescheduleStart } from '../workflows/reschedule-start.ts';
import { startOfAutomationRun, startOfDelivery } from './start-workflows.ts';

/** A row that is not finished, and the workflow execution that it should have. */
export interface Unfinished {
  /** Of the row. */
  readonly id: string;
  readonly workflowId: string;
  /** Lazy: options that cannot be built must not block the other rows. */
  readonly start: () => WorkflowStartOptions & { readonly args: readonly unknown[] };
}

/** How one kind of unfinished rows is found. */
export interface Source {
  readonly workflow: string;
  readonly page: (knex: DispatcherDb, request: PageRequest) => Promise<readonly Unfinished[]>;
}

const source = <Row extends { readonly id: string }>(
  workflow: string,
  page: PageOf<Row>,
  workflowIdOf: (row: Row) => string,
  startOf: (row: Row) => ReturnType<Unfinished['start']>,
): Source => ({
  workflow,
  page: async (knex, request) =>
    (await page(knex, request)).map((row) => ({
      id: row.id,
      workflowId: workflowIdOf(row),
      start: () => startOf(row),
    })),
});

/**
 * In the order in which they are started again. First what a person waits for. There may be very many open quotes, and most
 * of them only wait for events. Expiry reminders come last: by then most lifecycles that this pass has started have
 * started theirs.
 */
export const SOURCES: readonly Source[] = [
  source(
    'sendMail',
    pendingMails,
    ({ id: mailId, tenantId }) => workflowIds.mail({ tenantId, mailId }),
    ({ id, tenantId }) => mailStart({ tenantId, mailId: id }, null),
  ),
  source('deliverWebhook', pendingDeliveries, workflowIds.delivery, (row) => startOfDelivery(row).options),
  source('runAutomation', triggeredAutomationRuns, workflowIds.automation, (row) => startOfAutomationRun(row).options),
  source(
    'remind',
    pendingReminders,
    ({ id: reminderId, tenantId }) => workflowIds.remind({ tenantId, reminderId }),
    ({ id, dueAt, ...reminder }) => remindStart({ ...reminder, reminderId: id, dueAt: dueAt.toISOString() }),
  ),
  source('quoteLifecycle', openQuotes, workflowIds.quote, ({ id, ...quote }) =>
    lifecycleStart({ ...quote, quoteId: id }, null),
  ),
  source('expiryReminder', quotesWithMoments, workflowIds.expiry, ({ id, tenantId, ...quote }) =>
    expiryStart({ tenantId, quoteId: id }, { workflowId: workflowIds.expiry(quote), quoteNumber: quote.quoteNumber }),
  ),
  // After the expiry reminders: one that was started above has read the settings as they are now.
  source('rescheduleReminders', reschedulings, workflowIds.reschedule, ({ id: tenantId, eventId }) =>
    rescheduleStart({ tenantId, eventId }, null),
  ),
];
