import {
  condition,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ExpiryPlan, VersionRef } from '../activities/expiry.ts';
import { MOMENT_NAMES } from '../domain/moment-names.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { utcText } from '../domain/utc-text.ts';
import { attributes, type ExpiryInput, type ExpiryResult, queries, signals, type UpcomingTimer } from './contract.ts';
import { failureOf } from './failure-of.ts';
import { failures } from './failures.ts';
import { expiry, expiryMail } from './policies.ts';

export const reschedule = defineSignal(signals.reschedule);
const upcomingTimers = defineQuery<readonly UpcomingTimer[]>(queries.upcomingTimers);

/**
 * Both moments before a SENT quote expires: the reminder to its client, and QUOTE_EXPIRING 24 hours before the end. Its
 * timers only say that it is worth a look; whether a moment is still right is decided in PostgreSQL.
 */
export async function expiryReminder({ quote }: ExpiryInput): Promise<ExpiryResult> {
  let stale = false;
  let plan: ExpiryPlan | undefined;
  setHandler(reschedule, () => {
    stale = true;
  });
  setHandler(upcomingTimers, () => (plan ? momentsOf(plan) : []), { description: 'Lo que falta antes de que venza' });

  for (;;) {
    stale = false;
    plan = await expiry.planExpiry.executeWithOptions({ summary: 'Calcular cuándo recordar y avisar' }, [quote]);
    show(plan);
    // Looked at before anything else was heard: look again.
    if (stale) continue;
    if (!plan) return { outcome: 'over' };
    if (plan.mailWaits) {
      await mailReminder({ ...quote, version: plan.version });
      continue;
    }
    const [next] = momentsOf(plan);
    if (!next) return { outcome: 'done' };
    upsertSearchAttributes([{ key: attributes.dueAt, value: new Date(next.at) }]);
    const waitMs = Date.parse(next.at) - Date.now();
    if (
      waitMs > 0 &&
      (await condition(() => stale, waitMs, { summary: `Espera su momento: ${next.name}, el ${utcText(next.at)}` }))
    )
      continue;
    const moment = { ...quote, version: plan.version, at: next.at };
    if (next.kind === 'reminder') {
      await expiry.takeReminder.executeWithOptions({ summary: 'Anotar el recordatorio y avisar' }, [moment]);
    } else {
      await expiry.announceExpiring.executeWithOptions({ summary: 'Anotar que está por vencer' }, [moment]);
    }
  }
}

/** Mails the reminder that was taken, and notes how that ended. */
async function mailReminder(version: VersionRef): Promise<void> {
  const mail = await attempt(version);
  await expiry.closeExpiryMail.executeWithOptions({ summary: 'Anotar cómo terminó el correo' }, [{ ...version, mail }]);
}

async function attempt(version: VersionRef): Promise<'SENT' | 'FAILED' | 'SKIPPED'> {
  try {
    const { mailed } = await expiryMail.sendExpiryMail.executeWithOptions(
      { summary: 'Recordar al cliente por correo' },
      [version],
    );
    return mailed ? 'SENT' : 'SKIPPED';
  } catch (error) {
    switch (failureOf(error)?.type) {
      case failures.smtpRefused:
      case failures.smtpMaybeSent:
      case failures.smtpUnavailable:
        return 'FAILED';
      default:
        throw error;
    }
  }
}

interface ExpiryMoment extends UpcomingTimer {
  readonly kind: 'reminder' | 'expiring';
}

/** What is still to come, the nearest first; of two at once the reminder. */
function momentsOf({ remindAt, expiringAt }: ExpiryPlan): readonly ExpiryMoment[] {
  const moments: ExpiryMoment[] = [];
  if (remindAt !== null) moments.push({ kind: 'reminder', name: MOMENT_NAMES.reminder, at: remindAt });
  if (expiringAt !== null) moments.push({ kind: 'expiring', name: MOMENT_NAMES.expiring, at: expiringAt });
  return moments.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** For the Temporal UI. */
function show(plan: ExpiryPlan | undefined): void {
  if (!plan) return setCurrentDetails('La cotización ya no espera respuesta.');
  setCurrentDetails(
    [
      `**${quoteLabel(plan.quoteNumber)}** · versión ${plan.version} · vence el ${utcText(plan.expiresAt)}`,
      '',
      ...(plan.mailWaits
        ? ['- Envía el recordatorio al cliente; si el servidor de correo no está, reintenta un día']
        : []),
      ...momentsOf(plan).map(({ name, at }) => `- ${name}: ${utcText(at)}`),
    ].join('\n'),
  );
}
