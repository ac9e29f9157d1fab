import { ApplicationFailure } from '@temporalio/common';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { isFinal, type QuoteStatus } from '../domain/quote-status.ts';
import { utcText } from '../domain/utc-text.ts';
import {
  attributes,
  type LifecycleInput,
  type LifecycleState,
  queries,
  SHARE_IN_PROGRESS,
  type QuoteEventsInput,
  type ShareInput,
  type ShareResult,
  signals,
  type UpcomingTimer,
  updates,
} from './contract.ts';
import { concernsExpiry, expiryKey, SETTINGS_CHANGED, tellExpiryReminder } from './follow-expiry.ts';
import { localRecordActivities } from './policies.ts';
import { sendQuote } from './send-quote.ts';

export const quoteEvents = defineSignal<[QuoteEventsInput]>(signals.quoteEvents);
export const share = defineUpdate<ShareResult, [ShareInput]>(updates.share);
export const currentState = defineQuery<LifecycleState | undefined>(queries.currentState);
export const upcomingTimers = defineQuery<readonly UpcomingTimer[]>(queries.upcomingTimers);

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an open quote keeps its workflow after it expired; a later event starts it again. */
const LINGER_MS = 30 * DAY_MS;
/** Events remembered over continue-as-new; the dispatcher repeats only those that it has just dispatched. */
const REMEMBERED_EVENTS = 200;

/** One quote from creation until its status is final, or long past its expiry, and nothing is under way. */
export async function quoteLifecycle(input: LifecycleInput): Promise<void> {
  const seen = new Set(input.seen);
  let state: LifecycleState | undefined;
  let stale = true;
  let sharing: { readonly shareId: string; readonly result: Promise<ShareResult> } | undefined;
  let told = input.told;

  // Before the first await: an update that finds no handler in its activation is refused.
  setHandler(currentState, () => state, { description: 'Estado conocido de la cotización' });
  setHandler(upcomingTimers, () => (state ? timersOf(state) : []), { description: 'Lo que espera la cotización' });
  setHandler(quoteEvents, ({ events }) => {
    for (const { id, type } of events) {
      if (seen.has(id)) continue;
      seen.add(id);
      // The reminders before expiry depend on it, whatever was signalled before.
      if (type === 'tenant.settings_changed' && told !== undefined) told = SETTINGS_CHANGED;
      // The record is the truth; an event only triggers another read.
      stale = true;
    }
  });
  // An update, not a signal: the caller waits for the mail server's reply.
  setHandler(
    share,
    (request) => {
      sharing ??= {
        shareId: request.shareId,
        result: sendQuote(request).finally(() => {
          sharing = undefined;
          stale = true;
        }),
      };
      return sharing.result;
    },
    {
      description: 'Enviar la cotización por correo',
      // Calls with the same content have the same id. A rejected update leaves no trace in the history.
      validator: ({ shareId }) => {
        if (sharing && sharing.shareId !== shareId)
          throw ApplicationFailure.nonRetryable('otro envío está en curso', SHARE_IN_PROGRESS);
      },
    },
  );

  for (;;) {
    while (stale) {
      stale = false;
      state = await localRecordActivities.readLifecycleState.executeWithOptions({ summary: 'Leer la cotización' }, [
        input.quote,
      ]);
      show(state);
    }
    if (state && concernsExpiry(state, told)) {
      told = isFinal(state.status) ? undefined : expiryKey(state);
      await tellExpiryReminder(input, state);
      // Something may have been heard meanwhile.
      continue;
    }
    if (sharing) {
      // It makes the state stale when it ends, well or badly.
      await condition(() => stale);
      continue;
    }
    if (state === undefined || isFinal(state.status) || isOver(state)) break;
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      if (stale) continue;
      await continueAsNew<typeof quoteLifecycle>({
        quote: input.quote,
        tenantSlug: input.tenantSlug,
        seen: [...seen].slice(-REMEMBERED_EVENTS),
        ...(told !== undefined && { told }),
      });
    }
    await condition(() => stale || sharing !== undefined, untilOver(state), {
      summary: `${waitsFor(state.status)}; si nada pasa, termina sola el ${utcText(endOf(state))}`,
    });
  }
  await condition(allHandlersFinished);
}

/** What is still to come; the moments before the end are waited for by `expiryReminder`. */
const timersOf = (state: LifecycleState): readonly UpcomingTimer[] => [
  ...(state.upcoming ?? []),
  { name: 'Fin de la vigencia y 30 días', at: new Date(endOf(state)).toISOString() },
];

/** When a run without events ends. Milliseconds since 1970. */
const endOf = ({ expiresAt }: LifecycleState): number => Date.parse(expiresAt) + LINGER_MS;

/** Milliseconds until a run without events ends; at least one, so that an overdue timer fires. */
const untilOver = (state: LifecycleState): number => Math.max(1, endOf(state) - Date.now());

const isOver = (state: LifecycleState): boolean => endOf(state) <= Date.now();

/** For the Temporal UI: state and end as search attributes, and what is waited for in words. */
function show(state: LifecycleState | undefined): void {
  if (!state) return setCurrentDetails('La cotización ya no existe.');
  upsertSearchAttributes([
    { key: attributes.quoteStatus, value: state.status },
    { key: attributes.dueAt, value: new Date(endOf(state)) },
  ]);
  const { status, upcoming = [] } = state;
  setCurrentDetails(
    [
      `**${quoteLabel(state.quoteNumber)}** · versión ${state.version} · ${status}`,
      '',
      `- ${waitsFor(status)}`,
      ...upcoming.map(({ name, at }) => `- ${name}: ${utcText(at)}`),
      `- Vence: ${utcText(state.expiresAt)}`,
      ...(isFinal(status) ? [] : [`- Sin novedades, esta ejecución termina sola: ${utcText(endOf(state))}`]),
    ].join('\n'),
  );
}

function waitsFor(status: QuoteStatus): string {
  if (isFinal(status)) return 'No espera nada más: su estado es final';
  return status === 'SENT'
    ? 'Espera la respuesta del cliente o la decisión del negocio'
    : 'Espera a que el negocio la envíe';
}
