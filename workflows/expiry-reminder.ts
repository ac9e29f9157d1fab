import {
  condition,
  defineQuery,
  defineSignal,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ExpirySchedule, VersionRef } from '../activities/expiry.ts';
import type { FollowUpRef } from '../activities/follow-ups.ts';
import { MOMENT_NAMES } from '../domain/moment-names.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { utcText } from '../domain/utc-text.ts';
import { attributes, type ExpiryInput, type ExpiryResult, queries, signals, type UpcomingTimer } from './contract.ts';
import { failureOf } from './failure-of.ts';
import { failures } from './failures.ts';
import { expiryActivities, expiryMailActivities, followUpActivities, followUpMailActivities } from './policies.ts';

export const reschedule = defineSignal(signals.reschedule);
const upcomingTimers = defineQuery<readonly UpcomingTimer[]>(queries.upcomingTimers);

/**
 * The follow-ups of a SENT quote and the moments around its expiry: the reminder to its client, QUOTE_EXPIRING 24 hours
 * before the end, and quote.expired at the end. Its timers only wake it up; whether a moment is still right is decided in
 * PostgreSQL.
 */
export async function expiryReminder({ quote }: ExpiryInput): Promise<ExpiryResult> {
  let stale = false;
  let schedule: ExpirySchedule | undefined;
  setHandler(reschedule, () => {
    stale = true;
  });
  setHandler(upcomingTimers, () => (schedule ? momentsOf(schedule) : []), {
    description: 'Lo que falta antes de que venza',
  });

  for (;;) {
    stale = false;
    schedule = known(
      await expiryActivities.planExpiry.executeWithOptions({ summary: 'Calcular cuándo recordar y avisar' }, [quote]),
    );
    show(schedule);
    // A signal came while the schedule was read: read it again.
    if (stale) continue;
    if (!schedule) return { outcome: 'over' };
    if (schedule.mailWaits) {
      await mailReminder({ ...quote, version: schedule.version });
      continue;
    }
    if (typeof schedule.followUps?.mailOf === 'number') {
      await mailFollowUp({ ...quote, version: schedule.version, day: schedule.followUps.mailOf });
      continue;
    }
    const [next] = momentsOf(schedule);
    // Executions that began without the announcement of the expiry end before it; the reconciler starts another.
    if (!next || (next.kind === 'expired' && !patched('announce-expired'))) return { outcome: 'done' };
    upsertSearchAttributes([{ key: attributes.dueAt, value: new Date(next.at) }]);
    const waitMs = Date.parse(next.at) - Date.now();
    if (
      waitMs > 0 &&
      (await condition(() => stale, waitMs, { summary: `Espera su momento: ${next.name}, el ${utcText(next.at)}` }))
    )
      continue;
    const moment = { ...quote, version: schedule.version, at: next.at };
    switch (next.kind) {
      case 'reminder':
        await expiryActivities.takeReminder.executeWithOptions({ summary: 'Anotar el recordatorio y avisar' }, [
          moment,
        ]);
        break;
      case 'expiring':
        await expiryActivities.announceExpiring.executeWithOptions({ summary: 'Anotar que está por vencer' }, [moment]);
        break;
      case 'expired':
        await expiryActivities.announceExpired.executeWithOptions({ summary: 'Anotar que venció' }, [moment]);
        break;
      default:
        await followUpActivities.takeFollowUp.executeWithOptions({ summary: 'Anotar el seguimiento' }, [
          { ...moment, day: next.day },
        ]);
    }
  }
}

/** Mails the claimed reminder, and records how that ended. */
async function mailReminder(version: VersionRef): Promise<void> {
  const mail = await attempt(() =>
    expiryMailActivities.sendExpiryMail.executeWithOptions({ summary: 'Recordar al cliente por correo' }, [version]),
  );
  await expiryActivities.closeExpiryMail.executeWithOptions({ summary: 'Anotar cómo terminó el correo' }, [
    { ...version, mail },
  ]);
}

/** Mails the claimed follow-up, and records how that ended. */
async function mailFollowUp(followUp: FollowUpRef): Promise<void> {
  const mail = await attempt(() =>
    followUpMailActivities.sendFollowUpMail.executeWithOptions({ summary: 'Escribir al cliente' }, [followUp]),
  );
  await followUpActivities.closeFollowUpMail.executeWithOptions({ summary: 'Anotar cómo terminó el correo' }, [
    { ...followUp, mail },
  ]);
}

async function attempt(send: () => Promise<{ readonly mailed: boolean }>): Promise<'SENT' | 'FAILED' | 'SKIPPED'> {
  try {
    const { mailed } = await send();
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

type ExpiryMoment = UpcomingTimer & ({ readonly kind: 'reminder' | 'expiring' | 'expired' } | FollowUpTimer);
interface FollowUpTimer {
  readonly kind: 'followUp';
  readonly day: number;
}

/**
 * The schedule without follow-ups where code that did not know them has continued from it, as its history shows. Only
 * schedules with follow-ups ask, so that other executions get no marker.
 */
function known(schedule: ExpirySchedule | undefined): ExpirySchedule | undefined {
  if (!schedule?.followUps || patched('follow-ups')) return schedule;
  const { followUps: _unknown, ...rest } = schedule;
  return rest;
}

/** What is still to come, the nearest first; of two at once the reminder. */
function momentsOf({ remindAt, expiringAt, expiredAt = null, followUps }: ExpirySchedule): readonly ExpiryMoment[] {
  const moments: ExpiryMoment[] = [];
  if (remindAt !== null) moments.push({ kind: 'reminder', name: MOMENT_NAMES.reminder, at: remindAt });
  if (expiringAt !== null) moments.push({ kind: 'expiring', name: MOMENT_NAMES.expiring, at: expiringAt });
  if (expiredAt !== null) moments.push({ kind: 'expired', name: MOMENT_NAMES.expired, at: expiredAt });
  for (const { day, at } of followUps?.due ?? [])
    moments.push({ kind: 'followUp', name: MOMENT_NAMES.followUp, at, day });
  return moments.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** For the Temporal UI. */
function show(schedule: ExpirySchedule | undefined): void {
  if (!schedule) return setCurrentDetails('La cotización ya no espera respuesta.');
  setCurrentDetails(
    [
      `**${quoteLabel(schedule.quoteNumber)}** · versión ${schedule.version} · vence el ${utcText(schedule.expiresAt)}`,
      '',
      ...(schedule.mailWaits
        ? ['- Envía el recordatorio al cliente; si el servidor de correo no está, reintenta un día']
        : []),
      ...(typeof schedule.followUps?.mailOf === 'number'
        ? ['- Envía el seguimiento al cliente; si el servidor de correo no está, reintenta un día']
        : []),
      ...momentsOf(schedule).map(({ name, at }) => `- ${name}: ${utcText(at)}`),
    ].join('\n'),
  );
}
