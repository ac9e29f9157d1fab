import assert from 'node:assert/strict';
import { canMove, type QuoteStatus } from '../../domain/quote-status.ts';
import { problemOfBody } from '../api/event-bodies.ts';
import { exactQuote } from '../domain/exact-money.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { callsOf, type Ledger, type Tenant } from './ledger.ts';
import { busyRuns, isRunning, openRuns, standsAt } from './open-runs.ts';
import type { Receivers } from './receivers.ts';

/** The effects that a run's faults may have had, which the checker must tolerate. */
export interface Allowance {
  /** Calls to endpoints that may have been pending at a crash: each may come twice. */
  readonly repeatedCalls: number;
  /** Mails that may have been between DATA and the record at a crash; SMTP cannot tell whether they were accepted. */
  readonly repeatedMails: number;
  /** Seconds by which a call's own time may differ from ours. */
  readonly skew: number;
}

export interface Facts {
  readonly service: Installation;
  readonly ledger: Ledger;
  readonly receivers: Receivers;
  readonly allowance: Allowance;
}

/** Each returns the violations, line by line; nothing when it holds. */
export type Invariant = (facts: Facts) => Promise<readonly string[]>;

type Row = Readonly<Record<string, unknown>>;

function tally(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const ids = ({ tenants }: Ledger): string[] => tenants.map(({ id }) => id);

/** Every acknowledged write is readable afterwards and equal to its response. */
const acknowledgedIsThere: Invariant = async ({ service, ledger }) => {
  const rows = await service.rows(
    `select q.id, q.tenant_id, q.quote_number, q.status, q.version, q.total from quotes q where tenant_id = any($1)`,
    ids(ledger),
  );
  const byId = new Map(rows.map((row) => [row['id'], row]));
  const wrong = [...ledger.contradictions];
  for (const tenant of ledger.tenants) {
    for (const quote of tenant.quotes) {
      const row = byId.get(quote.id);
      if (!row) {
        wrong.push(`${quote.id} was acknowledged and is gone`);
        continue;
      }
      const version = Number(row['version']);
      const holds =
        row['tenant_id'] === tenant.id &&
        row['quote_number'] === quote.number &&
        quote.statuses.has(row['status'] as QuoteStatus) && // a check constraint says that it is one
        version >= quote.versions.least &&
        version <= quote.versions.most &&
        (quote.versions.least !== quote.versions.most || Number(row['total']) === quote.total);
      if (!holds) {
        wrong.push(
          `${quote.id} is ${JSON.stringify(row)}, expected ${[...quote.statuses].join('|')} v${quote.versions.least}–${quote.versions.most} ${quote.total}`,
        );
      }
    }
  }
  return wrong;
};

/** One effect for each Idempotency-Key, whatever the caller saw. */
const oncePerKey: Invariant = async ({ service, ledger }) => {
  const rows = await service.rows(
    `select tenant_id, action, count(*)::int as count from audit_logs
      where tenant_id = any($1) and entity = 'quote' and action in ('create', 'duplicate', 'quote.revised')
      group by tenant_id, action`,
    ids(ledger),
  );
  const made = await service.rows(
    `select q.notes from quotes q join audit_logs a on a.tenant_id = q.tenant_id and a.entity_id = q.id
      where q.tenant_id = any($1) and a.action = 'create' and a.entity = 'quote' group by q.notes having count(*) > 1`,
    ids(ledger),
  );
  const wrong = made.map(({ notes }) => `create ${String(notes)} had its effect more than once`);
  const verbs = { create: 'create', duplicate: 'duplicate', revise: 'quote.revised' } as const;
  for (const tenant of ledger.tenants) {
    for (const verb of ['create', 'duplicate', 'revise'] as const) {
      const { done, doubt } = callsOf(ledger, tenant, verb);
      const count = Number(
        rows.find((row) => row['tenant_id'] === tenant.id && row['action'] === verbs[verb])?.['count'] ?? 0,
      );
      if (count < done || count > done + doubt) {
        wrong.push(`${tenant.slug}: ${count} × ${verb}, expected ${done} done and ${doubt} in doubt`);
      }
    }
  }
  return wrong;
};

/** Each business's numbers are exactly 1…n. */
const numbersWithoutGaps: Invariant = async ({ service, ledger }) => {
  const rows = await service.rows(
    `select tenant_id, count(*)::int as count, count(distinct quote_number)::int as different,
            min(quote_number) as first, max(quote_number) as last
       from quotes where tenant_id = any($1) group by tenant_id`,
    ids(ledger),
  );
  return rows
    .filter(
      ({ count, different, first, last }) =>
        count !== different || Number(first) !== 1 || Number(last) !== Number(count),
    )
    .map((row) => `numbers: ${JSON.stringify(row)}`);
};

/** Each stored amount equals an independent computation, to the cent. */
const amountsAreExact: Invariant = async ({ service, ledger }) => {
  const quotes = await service.rows(
    `select q.id, q.subtotal, q.tax, q.total, q.shipping_cost, q.tax_rate,
            json_agg(json_build_object('unitPrice', i.unit_price::text, 'quantity', i.quantity,
                                       'discountPct', i.discount_pct::text) order by i.position) as items
       from quotes q join quote_items i on i.tenant_id = q.tenant_id and i.quote_id = q.id
      where q.tenant_id = any($1) group by q.id`,
    ids(ledger),
  );
  return quotes.flatMap((row) => {
    const { items, tax_rate: taxRate, shipping_cost: shippingCost } = row;
    // The query above made them.
    const lines = items as { unitPrice: string; quantity: number; discountPct: string }[];
    const exact = exactQuote(lines, { taxRate: String(taxRate), shippingCost: String(shippingCost), places: 2 });
    const same = (['subtotal', 'tax', 'total'] as const).every((name) => Number(row[name]) === Number(exact[name]));
    return same ? [] : [`${String(row['id'])}: ${JSON.stringify(row)} should be ${JSON.stringify(exact)}`];
  });
};

/** Every quote's history follows the table of moves, and its versions have no gap. */
const storiesFollowTheRules: Invariant = async ({ service, ledger }) => {
  const moves = await service.rows(
    `select q.id, q.status, coalesce(json_agg(e.payload::json -> 'data' order by e.sequence)
              filter (where e.type = 'quote.status_changed'), '[]') as moves
       from quotes q left join outbox_events e on e.tenant_id = q.tenant_id and e.quote_id = q.id
      where q.tenant_id = any($1) group by q.id`,
    ids(ledger),
  );
  const wrong: string[] = [];
  for (const row of moves) {
    let at = 'GENERATED' as QuoteStatus;
    // Payloads as recordEvent writes them.
    for (const { previousStatus, quote } of row['moves'] as {
      previousStatus: QuoteStatus;
      quote: { status: QuoteStatus };
    }[]) {
      const legal = (['member', 'mail', 'portal', 'automation'] as const).some((mover) =>
        canMove(mover, previousStatus, quote.status),
      );
      if (previousStatus !== at || !legal)
        wrong.push(`${String(row['id'])}: ${at} → ${previousStatus} → ${quote.status}`);
      at = quote.status;
    }
    if (at !== row['status'])
      wrong.push(`${String(row['id'])}: its events end in ${at}, it is ${String(row['status'])}`);
  }
  const versions = await service.rows(
    `select q.id, q.version, count(v.*)::int as kept from quotes q
       left join quote_versions v on v.tenant_id = q.tenant_id and v.quote_id = q.id
      where q.tenant_id = any($1) group by q.id having count(v.*) <> q.version - 1`,
    ids(ledger),
  );
  return [...wrong, ...versions.map((row) => `versions: ${JSON.stringify(row)}`)];
};

/** Every change of a quote has one outbox event and one audit entry. */
const changeEventAudit: Invariant = async ({ service, ledger }) => {
  const rows = await service.rows(
    `with e as (select quote_id as id, type, count(*)::int as n from outbox_events
                 where tenant_id = any($1) and quote_id is not null group by 1, 2),
          a as (select entity_id as id, case action when 'create' then 'quote.created' when 'duplicate' then 'quote.created'
                         when 'status_change' then 'quote.status_changed' when 'share' then 'quote.sent'
                         when 'quote.revised' then 'quote.revised' end as type, count(*)::int as n
                  from audit_logs where tenant_id = any($1) and entity = 'quote'
                   and action in ('create', 'duplicate', 'status_change', 'share', 'quote.revised') group by 1, 2)
     select coalesce(e.id, a.id) as id, coalesce(e.type, a.type) as type, e.n as events, a.n as entries
       from (select * from e where type in
              ('quote.created', 'quote.status_changed', 'quote.sent', 'quote.revised')) e
       full join a on a.id = e.id and a.type = e.type
      where e.n is distinct from a.n`,
    ids(ledger),
  );
  const orphans = await service.rows(
    `select q.id from quotes q where q.tenant_id = any($1) and not exists (select from outbox_events e
       where e.tenant_id = q.tenant_id and e.quote_id = q.id and e.type = 'quote.created')`,
    ids(ledger),
  );
  return [
    ...rows.map((row) => `events and audit differ: ${JSON.stringify(row)}`),
    ...orphans.map((row) => `no quote.created for ${String(row['id'])}`),
  ];
};

/**
 * Each event that a webhook subscribed to has one delivery, delivered; its receiver got it, and twice only as often as
 * faults allow.
 */
const eachEventDelivered: Invariant = async ({ service, ledger, receivers, allowance }) => {
  const wrong: string[] = [];
  let repeated = 0;
  for (const tenant of ledger.tenants.filter(({ wired }) => wired)) {
    const events = await service.rows(
      `select e.id, count(d.*)::int as deliveries, min(d.status) as status from outbox_events e
         left join webhook_deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
        where e.tenant_id = $1 and e.type in ('quote.created', 'quote.status_changed', 'quote.sent') group by e.id`,
      tenant.id,
    );
    const got = tally(receivers.receiptsOf(tenant).map(({ eventId }) => eventId));
    for (const { id, deliveries, status } of events) {
      const times = got.get(String(id)) ?? 0;
      if (deliveries !== 1 || status !== 'DELIVERED' || times === 0) {
        wrong.push(
          `${tenant.slug}: ${String(id)} has ${String(deliveries)} deliveries (${String(status)}), received ${times} times`,
        );
      }
      repeated += Math.max(0, times - 1);
    }
    const known = new Set(events.map(({ id }) => String(id)));
    for (const id of got.keys()) if (!known.has(id)) wrong.push(`${tenant.slug}: received ${id}, which is no event`);
  }
  if (repeated > allowance.repeatedCalls) {
    wrong.push(`${repeated} calls came again, ${allowance.repeatedCalls} may`);
  }
  return wrong;
};

/** All signatures are valid, and calls carry the current time. */
const signaturesHold: Invariant = async ({ ledger, receivers, allowance }) =>
  ledger.tenants.flatMap((tenant) =>
    receivers
      .receiptsOf(tenant)
      .filter(({ signed, skew }) => !signed || skew > allowance.skew)
      .map((receipt) => `${tenant.slug}: ${JSON.stringify(receipt)}`),
  );

/** The body of each event is as the API's document describes it. */
const eventsDocumented: Invariant = async ({ service, ledger }) => {
  const rows = await service.rows('select type, payload from outbox_events where tenant_id = any($1)', ids(ledger));
  return rows.flatMap(({ type, payload }) => problemOfBody(String(type), String(payload)) ?? []);
};

/** Each event that triggers an automation has one run, completed, with each effect once. */
const automationsOnce: Invariant = async ({ service, ledger }) => {
  const wired = ledger.tenants.filter((tenant) => tenant.wired).map(({ id }) => id);
  const rows: Row[] = await service.rows(
    `select e.id, e.type, count(l.*)::int as runs, min(l.status) as status,
            (select count(*)::int from quote_labels ql where ql.tenant_id = e.tenant_id and ql.quote_id = e.quote_id) as labels
       from outbox_events e left join automation_logs l on l.tenant_id = e.tenant_id and l.event_id = e.id
      where e.tenant_id = any($1) and (e.type = 'quote.created'
         or (e.type = 'quote.status_changed' and e.payload::json #>> '{data,quote,status}' = 'SENT'))
      group by e.tenant_id, e.id, e.type, e.quote_id`,
    wired,
  );
  const wrong = rows
    .filter(({ runs, status, labels }) => runs !== 1 || status !== 'COMPLETED' || labels !== 1)
    .map((row) => `automation: ${JSON.stringify(row)}`);
  const effects = await service.rows(
    `select t.id,
            (select count(*)::int from outbox_events where tenant_id = t.id and type = 'quote.created') as created,
            (select count(*)::int from notifications where tenant_id = t.id and type = 'automation') as notified,
            (select count(*)::int from outbox_events where tenant_id = t.id and type = 'quote.status_changed'
               and payload::json #>> '{data,quote,status}' = 'SENT') as sent,
            (select count(*)::int from reminders where tenant_id = t.id and status = 'FIRED') as reminders,
            (select count(*)::int from notifications where tenant_id = t.id and type = 'reminder') as reminded
       from tenants t where t.id = any($1)`,
    wired,
  );
  return [
    ...wrong,
    ...effects
      .filter(
        ({ created, notified, sent, reminders, reminded }) =>
          created !== notified || sent !== reminders || sent !== reminded,
      )
      .map((row) => `effects: ${JSON.stringify(row)}`),
  ];
};

/**
 * Each successful share has one quote.sent and one mail, and each mail about an answer that its row calls sent was sent;
 * twice only as often as faults allow. So often a share may also have failed whose mail arrived: the mail server had not
 * answered.
 */
const mailsOnce: Invariant = async ({ service, ledger, allowance }) => {
  // Copies that an earlier fault was allowed stay in the inbox.
  const ours = ({ to }: { readonly to: readonly string[] }) =>
    ledger.tenants.some(({ canary }) => to.some((address) => address.startsWith(`${canary}@`)));
  const messages = (await service.parts.inbox.messages()).filter(ours);
  const different = new Set(messages.map(({ messageId }) => messageId));
  const wrong: string[] = [];
  let repeated = messages.length - different.size;
  for (const tenant of ledger.tenants) {
    const [row] = await service.rows(
      `select count(*)::int as sent from outbox_events where tenant_id = $1 and type = 'quote.sent'`,
      tenant.id,
    );
    const sent = Number(row?.['sent']);
    const shares = messages.filter(
      ({ to, messageId }) => to.includes(tenant.clientEmail) && messageId?.startsWith('<share.'),
    );
    const mails = new Set(shares.map(({ messageId }) => messageId)).size;
    if (mails < sent) wrong.push(`${tenant.slug}: ${mails} different mails for ${sent} quote.sent`);
    else repeated += mails - sent;
    const { done, doubt } = callsOf(ledger, tenant, 'share');
    if (sent < done || sent > done + doubt) {
      wrong.push(`${tenant.slug}: ${sent} quote.sent, expected ${done} shares done and ${doubt} in doubt`);
    }
    const answers = await service.rows(
      `select id from mails where tenant_id = $1 and kind like 'answer_%' and status = 'SENT'`,
      tenant.id,
    );
    const lost = answers.filter(
      ({ id }) => ![...different].some((sentId) => sentId?.startsWith(`<answer.${String(id)}@`)),
    );
    if (lost.length > 0) wrong.push(`${tenant.slug}: ${lost.length} mails about answers are called sent and were not`);
  }
  if (repeated > allowance.repeatedMails) {
    const allowed = allowance.repeatedMails;
    wrong.push(`${repeated} copies of mails or mails of failed shares, ${allowed} may be`);
  }
  return wrong;
};

/** No recipient gets another business's data. */
const nothingForeign: Invariant = async ({ service, ledger, receivers }) => {
  const messages = await service.parts.inbox.messages();
  const foreignMail = ({ id, canary, clientEmail }: Tenant) =>
    messages
      .filter(({ to }) => to.includes(clientEmail))
      .filter((message) =>
        ledger.tenants.some((other) => other.id !== id && JSON.stringify(message).includes(other.canary)),
      )
      .map((message) => `a mail for ${canary} has a foreign word: ${message.id}`);
  return ledger.tenants.flatMap((tenant) => [
    ...receivers
      .receiptsOf(tenant)
      .filter(({ foreign }) => foreign)
      .map(({ eventId }) => `${tenant.slug} received a foreign word in ${eventId}`),
    ...foreignMail(tenant),
  ]);
};

/** Temporal dispatches tasks again ten seconds after it gave them to a dead poller. */
const SETTLES_MS = 15_000;

/** At rest the only open executions are those that wait for a time, and every open quote has its own. */
const onlyPlannedRuns: Invariant = async ({ service, ledger }) => {
  const quotes = await service.rows(
    `select t.slug, q.quote_number from quotes q join tenants t on t.id = q.tenant_id
      where q.tenant_id = any($1) and q.status in ('GENERATED', 'SENT')`,
    ids(ledger),
  );
  const listed = await openRuns(service);
  const wrong: string[] = [];
  for (const { slug, quote_number: number } of quotes) {
    const id = `quote.${String(slug)}.COT-${String(number)}`;
    if (!listed.has(id) && !(await isRunning(service, id))) wrong.push(`${id} has no run`);
  }
  // A list may still contain an execution that ended a moment ago, and shows new ones late.
  const busy = await eventually(async () => {
    const left = busyRuns(await openRuns(service));
    assert.deepEqual(left, []);
    return left;
  }, SETTLES_MS).catch(async () => busyRuns(await openRuns(service)));
  const problems = busy.map(async (run) => {
    const at = await standsAt(service, run.slice(run.indexOf(' ') + 1)).catch(String);
    return `${run} is still open: ${at}`;
  });
  return [...wrong, ...(await Promise.all(problems))];
};

export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'I1 acknowledged is there': acknowledgedIsThere,
  'I2 once per key': oncePerKey,
  'I3 numbers 1…n': numbersWithoutGaps,
  'I4 amounts exact': amountsAreExact,
  'I5 legal stories': storiesFollowTheRules,
  'I6 change = event = audit': changeEventAudit,
  'I7 events delivered': eachEventDelivered,
  'I8 signatures hold': signaturesHold,
  'I8 events documented': eventsDocumented,
  'I9 automations once': automationsOnce,
  'I9 mails once': mailsOnce,
  'I10 nothing foreign': nothingForeign,
  'I12 only planned runs': onlyPlannedRuns,
};

/** The violations by invariant; empty when all hold. */
export async function violations(facts: Facts): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const [name, check] of Object.entries(INVARIANTS)) {
    const wrong = await check(facts);
    if (wrong.length > 0) found[name] = wrong.slice(0, 10);
  }
  return found;
}
