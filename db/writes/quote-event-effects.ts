import { answerOf } from '../../domain/answer.ts';
import { type ChainLink, mayTrigger } from '../../domain/automation-chain.ts';
import { allHold, type Condition, evaluateCondition } from '../../domain/conditions.ts';
import { noticeOf, triggerOf } from '../../domain/event-effects.ts';
import { formatMoney } from '../../domain/format.ts';
import { DEFAULT_LOCALE } from '../../domain/locale.ts';
import { hasFeature, type Plan } from '../../domain/plans.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { newId } from '../ids.ts';
import { Automation } from '../models/automation.ts';
import { AutomationLog } from '../models/automation-log.ts';
import type { OutboxEvent } from '../models/outbox-event.ts';
import { automationFacts } from '../reads/automation-facts.ts';
import { type FullQuote, readFullQuote } from '../reads/full-quote.ts';
import type { TenantTransaction } from '../with-tenant.ts';
import { notify, ownersAnd } from './notify.ts';

/** An event, as far as its effects depend on it. */
export type FannedOutEvent = Pick<
  OutboxEvent,
  'id' | 'tenantId' | 'type' | 'quoteId' | 'payload' | 'depth' | 'automationPath'
>;

/** Inserts the automation runs and notifications of an event of a quote. */
export async function insertEffectsOnQuote(
  trx: TenantTransaction,
  event: FannedOutEvent,
  quoteId: string,
  plan: Plan,
): Promise<void> {
  const quote = await readFullQuote(trx, quoteId);
  if (!quote) return;
  const status = statusAtEvent(event, quote);
  await insertAutomationRuns(trx, event, quote, { status, plan });
  await insertNotifications(trx, event, quote, status);
}

/** One automation run for each automation that the event triggers and whose conditions hold now. */
async function insertAutomationRuns(
  trx: TenantTransaction,
  event: FannedOutEvent,
  quote: FullQuote,
  { status, plan }: { status: QuoteStatus; plan: Plan },
): Promise<void> {
  const trigger = triggerOf(event.type, status);
  if (!trigger || !hasFeature(plan, 'automations')) return;
  const { tenantId } = event;
  const candidates = await Automation.query(trx).where({ tenantId, trigger, isActive: true }).orderBy('createdAt');
  const link: ChainLink = event;
  const allowed = candidates.filter(({ id }) => mayTrigger(id, link));
  if (allowed.length === 0) return;

  // No condition asks for the address of the client's page.
  const facts = await automationFacts(trx, quote, '');
  const matching = allowed.filter(({ conditions }) =>
    // Written by our own schema.
    allHold((JSON.parse(conditions) as readonly Condition[]).map((condition) => evaluateCondition(condition, facts))),
  );
  if (matching.length === 0) return;
  await AutomationLog.query(trx)
    .insert(
      matching.map(({ id, conditions, actions, delayMinutes }) => ({
        id: newId(),
        tenantId,
        automationId: id,
        quoteId: quote.id,
        eventId: event.id,
        conditions,
        actions,
        delayMinutes,
      })),
    )
    .onConflict(['tenantId', 'automationId', 'eventId'])
    .ignore();
}

async function insertNotifications(
  trx: TenantTransaction,
  event: FannedOutEvent,
  quote: FullQuote,
  status: QuoteStatus,
): Promise<void> {
  const notice = noticeOf(event.type, status);
  if (!notice) return;
  const { id: quoteId, quoteNumber, version, total, currency, client } = quote;
  const answer = notice.type === 'quote_accepted' || notice.type === 'quote_rejected' ? answerOf(quote) : null;
  const reason = answer?.reason ? [`Motivo: ${answer.reason}`] : [];
  // A client may look at the same version many times; members hear of the first.
  const about = notice.type === 'quote_viewed' ? `viewed.${quoteId}.v${version}` : event.id;
  await notify(trx, await ownersAnd(trx, quote.userId), {
    ...notice,
    body: [
      displayNumber(quote),
      client.companyName ?? client.contactName,
      formatMoney(total, currency, DEFAULT_LOCALE),
      ...reason,
    ].join(' · '),
    metadata: { quoteId, quoteNumber, ...(answer && { answer }) },
    about,
  });
}

/** The quote's status when the event happened: it may have moved on since. */
function statusAtEvent({ payload }: FannedOutEvent, quote: FullQuote): QuoteStatus {
  // Written by eventBody(): events of a quote carry it.
  const { data } = JSON.parse(payload) as { data: { quote?: { status?: QuoteStatus } } };
  return data.quote?.status ?? quote.status;
}
