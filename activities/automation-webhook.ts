import { ApplicationFailure } from '@temporalio/common';
import { OutboxEvent } from '../db/models/outbox-event.ts';
import { databaseTime } from '../db/reads/database-time.ts';
import type { AutomationRun } from '../db/reads/automation-run.ts';
import { eventQuote } from '../db/reads/full-quote.ts';
import { claimAction, finishAction, readLedgerEntry } from '../db/writes/action-ledger.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { Trigger } from '../domain/automation.ts';
import { triggerOf } from '../domain/event-effects.ts';
import { eventBody, fireWebhookPayload } from '../domain/events.ts';
import { isSuccess } from '../domain/http-delivery.ts';
import type { QuoteStatus } from '../domain/quote-status.ts';
import { failures } from '../workflows/failures.ts';
import { type ActionRef, readAction } from './automation-action.ts';
import { permanent } from './permanent-failure.ts';
import { withPermit } from './permits.ts';
import { MAX_PAUSE_MS } from './throttled.ts';
import type { ActivityDeps } from './deps.ts';

/** For the whole call, from the look-up of the name to the end of the response. */
const DEADLINE_MS = 5_000;
/** A call that was claimed longer ago has ended, whether or not its worker is alive. */
const CLAIM_LEASE_MS = 10_000;

export const createAutomationWebhookActivities = ({
  withTenant,
  outbound,
  permits: { fireWebhook },
}: Pick<ActivityDeps, 'withTenant' | 'outbound' | 'permits'>) => {
  async function callOnce(ref: ActionRef): Promise<void> {
    const call = await withTenant(ref.tenantId, async (trx) => {
      const run = await readAction(trx, ref, 'fire_webhook');
      if (!(await claimAction(trx, ref))) {
        const { startedAt, doneAt } = await readLedgerEntry(trx, ref);
        if (doneAt) return undefined;
        const leftMs = startedAt.getTime() + CLAIM_LEASE_MS - (await databaseTime(trx)).getTime();
        if (leftMs > 0) throw underWay(leftMs);
        throw permanent(failures.webhookFailed, 'la llamada quedó interrumpida');
      }
      const { action, quote } = run;
      const trigger = await triggerOfRun(trx, run);
      const { items, ...withoutItems } = fireWebhookPayload(eventQuote(quote));
      return {
        url: action.url,
        body: eventBody(trigger, new Date(), {
          quote: action.includeItems ? { ...withoutItems, items } : withoutItems,
        }),
        headers: {
          ...action.headers,
          'Content-Type': 'application/json; charset=utf-8',
          'X-Service-Event': trigger,
        },
      };
    });
    // An earlier attempt got a response, but Temporal lost its result.
    if (!call) return;
    const { statusCode, errorCode } = await outbound.post({ ...call, deadlineMs: DEADLINE_MS });
    if (errorCode) throw permanent(failures.webhookFailed, `sin respuesta (${errorCode})`);
    if (!isSuccess(statusCode)) throw permanent(failures.webhookFailed, `respondió ${statusCode}`);
    await withTenant(ref.tenantId, (trx) => finishAction(trx, ref));
  }

  return {
    /**
     * fire_webhook: one unsigned call. It is claimed before it is made, and recorded after a 2xx response. A claimed call
     * without a recorded end is not repeated, since an attempt that Temporal timed out may still be making it; the
     * action has failed. Without a permit nothing is claimed.
     */
    fireWebhook: (ref: ActionRef): Promise<void> =>
      withPermit({ queue: fireWebhook, tenantId: ref.tenantId, maxPauseMs: MAX_PAUSE_MS.inBackground }, () =>
        callOnce(ref),
      ),
  };
};
export type AutomationWebhookActivities = ReturnType<typeof createAutomationWebhookActivities>;

/** What the run was triggered by: as the event says, since the automation may have been edited meanwhile. */
async function triggerOfRun(trx: TenantTransaction, { log, automation, quote }: AutomationRun): Promise<Trigger> {
  const event = await OutboxEvent.query(trx).findOne({ tenantId: log.tenantId, id: log.eventId });
  if (!event) return automation.trigger;
  // Written by eventBody(): events of a quote carry it.
  const { data } = JSON.parse(event.payload) as { data: { quote?: { status?: QuoteStatus } } };
  return triggerOf(event.type, data.quote?.status ?? quote.status) ?? automation.trigger;
}

const underWay = (leftMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'CallUnderWay',
    message: 'Otro intento puede estar llamando todavía',
    nextRetryDelay: leftMs,
  });
