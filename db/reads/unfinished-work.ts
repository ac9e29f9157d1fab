import type { DispatcherDb } from '../dispatcher-db.ts';
import { deliveryColumns, type DeliveryRow } from '../webhooks/lease-deliveries.ts';
import { type AutomationRunRow, automationRunColumns, numberOf } from '../writes/lease-automation-runs.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';

/** What is needed to start the workflow of unfinished work. Over all tenants. */

export interface OpenQuote {
  readonly id: string;
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly quoteNumber: number;
  readonly status: QuoteStatus;
}

export interface PendingReminder {
  readonly id: string;
  readonly tenantId: string;
  readonly quoteId: string;
  readonly quoteNumber: number;
  readonly automationId: string | null;
  readonly dueAt: Date;
}

export interface PendingMail {
  readonly id: string;
  readonly tenantId: string;
}

export interface RunningImport {
  readonly id: string;
  readonly tenantId: string;
}

/** A tenant with a settings change that has not reached the reminders of all its SENT quotes. */
export interface Rescheduling {
  /** Of the tenant. */
  readonly id: string;
  /** Of the settings change. */
  readonly eventId: string;
}

export interface PageRequest {
  /** The last id of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Younger rows are left out: the dispatcher may be about to start them. */
  readonly olderThanSeconds: number;
}

/** A page of one kind, in order of their ids. */
export type PageOf<Row> = (knex: DispatcherDb, request: PageRequest) => Promise<readonly Row[]>;

const page =
  <Row>(sql: string): PageOf<Row> =>
  async (knex, request) =>
    (await knex.raw<{ rows: Row[] }>(`${sql} limit :limit`, { ...request })).rows;

const SETTLED = 'make_interval(secs => :olderThanSeconds)';

/** Open quotes whose lifecycle should exist: until 30 days past expiry. */
export const openQuotes = page<OpenQuote>(
  `select q.id, q.tenant_id as "tenantId", t.slug as "tenantSlug", q.quote_number as "quoteNumber", q.status
     from quotes q join tenants t on t.id = q.tenant_id
    where q.status in ('GENERATED', 'SENT') and q.expires_at > now() - interval '30 days'
      and q.created_at < now() - ${SETTLED} and q.id > :after order by q.id`,
);

/**
 * SENT quotes whose expiry was not announced. It is the last moment: follow-ups, the reminder and its announcement are before
 * it, and a mail that is pending when a quote expires is not sent any more.
 */
export const quotesWithMoments = page<OpenQuote>(
  `select q.id, q.tenant_id as "tenantId", t.slug as "tenantSlug", q.quote_number as "quoteNumber", q.status
     from quotes q join tenants t on t.id = q.tenant_id
    where q.status = 'SENT' and q.announced_expiry is distinct from q.expires_at
      and q.updated_at < now() - ${SETTLED} and q.id > :after order by q.id`,
);

export const pendingDeliveries = page<DeliveryRow>(
  `select ${deliveryColumns('d')} from webhook_deliveries d
    where d.status = 'PENDING' and d.dispatched_at < now() - ${SETTLED} and d.id > :after order by d.id`,
);

export const triggeredAutomationRuns = page<AutomationRunRow>(
  `select ${automationRunColumns('l')} from automation_logs l
    where l.status = 'TRIGGERED' and l.dispatched_at < now() - ${SETTLED} and l.id > :after order by l.id`,
);

export const pendingReminders = page<PendingReminder>(
  `select r.id, r.tenant_id as "tenantId", r.quote_id as "quoteId", ${numberOf('r')} as "quoteNumber",
          r.automation_id as "automationId", r.due_at as "dueAt"
     from reminders r
    where r.status = 'PENDING' and r.created_at < now() - ${SETTLED} and r.id > :after order by r.id`,
);

export const reschedulings = page<Rescheduling>(
  `select t.id, t.reschedule_event_id as "eventId" from tenants t
    where t.reschedule_event_id is not null and t.updated_at < now() - ${SETTLED} and t.id > :after order by t.id`,
);

export const runningImports = page<RunningImport>(
  `select i.id, i.tenant_id as "tenantId" from imports i
    where i.status = 'RUNNING' and i.created_at < now() - ${SETTLED} and i.id > :after order by i.id`,
);

export const pendingMails = page<PendingMail>(
  `select m.id, m.tenant_id as "tenantId" from mails m
    where m.status = 'PENDING' and m.created_at < now() - ${SETTLED} and m.id > :after order by m.id`,
);
