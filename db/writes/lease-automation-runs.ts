import type { DispatcherDb } from '../dispatcher-db.ts';
import { eventOf } from '../webhooks/lease-deliveries.ts';
import { type Leased, leaseInTurn, type WaitingRows } from './dispatch-rows.ts';

/** What is needed to start the workflow of an automation run. */
export interface AutomationRunRow {
  readonly id: string;
  readonly tenantId: string;
  readonly automationId: string;
  /** Null when it was purged. */
  readonly event: string | null;
  readonly eventId: string;
  readonly quoteId: string;
  readonly quoteNumber: number;
  readonly requestId: string | null;
  /** The trace context in which its event was written. */
  readonly traceparent: string | null;
}

/** The number of a row's quote, in SQL. */
export const numberOf = (row: string): string =>
  `(select q.quote_number from quotes q where q.tenant_id = ${row}.tenant_id and q.id = ${row}.quote_id)`;

/** The columns of an AutomationRunRow, from rows of `automation_logs`. */
export const automationRunColumns = (row: string): string =>
  `${row}.id, ${row}.tenant_id as "tenantId", ${row}.automation_id as "automationId", ${row}.event_id as "eventId",
   ${eventOf(row, 'type')} as event, ${row}.quote_id as "quoteId", ${numberOf(row)} as "quoteNumber", ${eventOf(row, 'request_id')} as "requestId", ${eventOf(row, 'traceparent')} as traceparent`;

const AUTOMATION_RUNS: WaitingRows = {
  table: 'automation_logs',
  waits: "d.dispatched_at is null and d.status = 'TRIGGERED'",
  due: 'd.dispatch_after <= now()',
  age: 'd.dispatch_after, d.triggered_at, d.id',
};

/** Leases the oldest automation runs that are due, tenants in turn. */
export const leaseAutomationRuns = (knex: DispatcherDb, limit: number): Promise<Leased<AutomationRunRow>> =>
  leaseInTurn(knex, limit, {
    name: 'lease-automation-runs',
    waiting: AUTOMATION_RUNS,
    columns: automationRunColumns('leased'),
  });
