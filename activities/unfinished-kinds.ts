import type { WorkflowStartOptions } from '@temporalio/client';
import type { Knex } from 'knex';
import {
  openQuotes,
  type PageOf,
  type PageRequest,
  pendingDeliveries,
  pendingMails,
  pendingReminders,
  quotesWithMoments,
  reschedulings,
  triggeredRuns,
} from '../db/reads/unfinished-work.ts';
import { expiryStart, lifecycleStart, mailStart, remindStart, workflowIds } from '../workflows/contract.ts';
import { rescheduleStart } from '../workflows/reschedule-start.ts';
import { deliveryCall, runCall } from './hand-over-rows.ts';

/** A row that is not finished, and the run that it should have. */
export interface Unfinished {
  /** Of the row. */
  readonly id: string;
  readonly workflowId: string;
  /** The run that does the work of several such rows, when it is in the hands of one. */
  readonly carriedBy?: string | undefined;
  /** Made when it is needed: one that cannot be made must not keep the others from being looked at. */
  readonly start: () => WorkflowStartOptions & { readonly args: readonly unknown[] };
}

/** How one kind of unfinished rows is found. */
export interface Kind {
  readonly workflow: string;
  readonly page: (knex: Knex, request: PageRequest) => Promise<readonly Unfinished[]>;
}

const kind = <Row extends { readonly id: string }>(
  workflow: string,
  page: PageOf<Row>,
  workflowIdOf: (row: Row) => string,
  startOf: (row: Row) => ReturnType<Unfinished['start']>,
  carrierOf: (row: Row) => string | undefined = () => undefined,
): Kind => ({
  workflow,
  page: async (knex, request) =>
    (await page(knex, request)).map((row) => ({
      id: row.id,
      workflowId: workflowIdOf(row),
      carriedBy: carrierOf(row),
      start: () => startOf(row),
    })),
});

/**
 * In the order in which they are started again. First what somebody waits for; there may be very many open quotes, and
 * most of them only wait for events. The moments before a quote's end come last: by then most lifecycles that were
 * started in this pass have seen to theirs.
 */
export const KINDS: readonly Kind[] = [
  kind(
    'sendMail',
    pendingMails,
    ({ id: mailId, tenantId }) => workflowIds.mail({ tenantId, mailId }),
    ({ id, tenantId }) => mailStart({ tenantId, mailId: id }, null),
  ),
  kind(
    'deliverWebhook',
    pendingDeliveries,
    workflowIds.delivery,
    ({ carriedBy: _carriedBy, ...row }) => deliveryCall(row).options,
    ({ carriedBy }) => (carriedBy === null ? undefined : workflowIds.firstAttempts(carriedBy)),
  ),
  kind('runAutomation', triggeredRuns, workflowIds.automation, (row) => runCall(row).options),
  kind(
    'remind',
    pendingReminders,
    ({ id: reminderId, tenantId }) => workflowIds.remind({ tenantId, reminderId }),
    ({ id, dueAt, ...reminder }) => remindStart({ ...reminder, reminderId: id, dueAt: dueAt.toISOString() }),
  ),
  kind('quoteLifecycle', openQuotes, workflowIds.quote, ({ id, ...quote }) =>
    lifecycleStart({ ...quote, quoteId: id }, null),
  ),
  kind('expiryReminder', quotesWithMoments, workflowIds.expiry, ({ id, tenantId, ...quote }) =>
    expiryStart({ tenantId, quoteId: id }, { workflowId: workflowIds.expiry(quote), quoteNumber: quote.quoteNumber }),
  ),
  // After the expiry reminders: one that was started above has read the settings as they are now.
  kind('rescheduleReminders', reschedulings, workflowIds.reschedule, ({ id: tenantId, eventId }) =>
    rescheduleStart({ tenantId, eventId }, null),
  ),
];
