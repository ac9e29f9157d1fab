import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  defineQuery,
  isCancellation,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ActionRef } from '../activities/automation-action.ts';
import type { AutomationRunSteps } from '../activities/automation-runs.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { AutomationAction } from '../domain/automation.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { utcText } from '../domain/utc-text.ts';
import {
  attributes,
  queries,
  remindStart,
  type AutomationRunRef,
  type AutomationRunResult,
  type UpcomingTimer,
} from './contract.ts';
import { failureOf } from './failure-of.ts';
import { failures, retriedFailures } from './failures.ts';
import {
  actionMailActivities,
  actionActivities,
  actionWebhookActivities,
  automationRunActivities,
} from './policies.ts';
import type { remind } from './remind.ts';

const upcomingTimers = defineQuery<readonly UpcomingTimer[]>(queries.upcomingTimers);

/**
 * One run of an automation: waits out its delay, asks whether it still applies, then does its actions in order. The first
 * one that fails for good ends it (docs/guides/automations.md#actions).
 */
export async function runAutomation(run: AutomationRunRef): Promise<AutomationRunResult> {
  let upcoming: readonly UpcomingTimer[] = [];
  setHandler(upcomingTimers, () => upcoming, { description: 'Lo que espera la ejecución' });

  const plan = await automationRunActivities.beginRun.executeWithOptions({ summary: 'Leer la automatización' }, [run]);
  if (!plan) return { outcome: 'closed' };
  const waitMs = Date.parse(plan.dueAt) - Date.now();
  if (waitMs > 0) {
    upcoming = [{ name: 'Fin de la espera', at: plan.dueAt }];
    upsertSearchAttributes([{ key: attributes.dueAt, value: new Date(plan.dueAt) }]);
    const until = utcText(plan.dueAt);
    show(plan, `Espera la demora de la automatización hasta el ${until}; entonces comprueba si aún procede y actúa`);
    await sleep(waitMs, { summary: `Espera la demora de la automatización, hasta el ${until}` });
    upcoming = [];
  }

  const reason = await automationRunActivities.reasonToSkip.executeWithOptions(
    { summary: 'Comprobar si aún procede' },
    [run],
  );
  if (reason === undefined) return { outcome: 'closed' };
  const { failed, skipped } = reason === null ? await doActions(run, plan) : { failed: null, skipped: [reason] };
  const error = [failed ?? [], skipped].flat().join('; ') || null;
  const status = failed === null ? 'COMPLETED' : 'FAILED';
  await automationRunActivities.closeRun.executeWithOptions({ summary: 'Anotar cómo terminó' }, [
    { ...run, status, error },
  ]);
  show(plan, error ?? 'Terminada');
  if (reason !== null) return { outcome: 'skipped' };
  return { outcome: failed === null ? 'completed' : 'failed' };
}

/** What came of the actions: which one failed and why, or null, and which were left out and why. */
interface Done {
  readonly failed: string | null;
  readonly skipped: readonly string[];
}

/** Does the actions in order, up to the first that fails. */
async function doActions(run: AutomationRunRef, plan: AutomationRunSteps): Promise<Done> {
  const skipped: string[] = [];
  for (const [index, type] of plan.actions.entries()) {
    show(plan, `Acción ${index + 1} de ${plan.actions.length}: ${type}`);
    try {
      await doAction(type, { ...run, index });
    } catch (error) {
      if (isCancellation(error)) throw error;
      // As members of a body are named elsewhere: from 0.
      const what = `actions.${index} (${type}): ${whyFailed(error)}`;
      if (!isSkipped(error)) return { failed: what, skipped };
      skipped.push(`omitida: ${what}`);
    }
  }
  return { failed: null, skipped };
}

const isSkipped = (error: unknown): boolean => failureOf(error)?.type === failures.actionSkipped;

/** Activities keep their names when an action's type has another: histories contain them. */
async function doAction(type: AutomationAction['type'], ref: ActionRef): Promise<void> {
  switch (type) {
    case 'send_email':
      return actionMailActivities.sendAutomationEmail.executeWithOptions({ summary: 'Enviar el correo' }, [ref]);
    case 'send_notification':
      return actionActivities.notifyOwners.executeWithOptions({ summary: 'Notificar a los dueños' }, [ref]);
    case 'change_status':
      return actionActivities.moveQuote.executeWithOptions({ summary: 'Cambiar el estado' }, [ref]);
    case 'add_label':
      return actionActivities.labelQuote.executeWithOptions({ summary: 'Poner la etiqueta' }, [ref]);
    case 'create_reminder':
      return createReminder(ref);
    case 'fire_webhook':
      return actionWebhookActivities.fireWebhook.executeWithOptions({ summary: 'Llamar al webhook' }, [ref]);
    default:
      return assertNever(type);
  }
}

/** The row, then the run that waits for it. That outlives this one. */
async function createReminder(ref: ActionRef): Promise<void> {
  const reminder = await actionActivities.createReminder.executeWithOptions({ summary: 'Crear el recordatorio' }, [
    ref,
  ]);
  const { workflowIdConflictPolicy: _clientOnly, ...options } = remindStart(reminder);
  try {
    await startChild<typeof remind>('remind', { ...options, parentClosePolicy: 'ABANDON' });
  } catch (error) {
    // Already started.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const OWN_TYPES: readonly string[] = [...Object.values(failures), retriedFailures.mailQuotaReached];

/** What the log says of a failed action. Only our own failures speak for themselves. */
function whyFailed(error: unknown): string {
  const failure = failureOf(error);
  if (failure?.type === retriedFailures.mailUnavailable) return 'el servidor de correo no está disponible';
  if (failure?.type && OWN_TYPES.includes(failure.type)) return failure.message;
  return 'no se logró después de varios intentos';
}

/** For the Temporal UI. */
function show({ quoteNumber, automationId, actions: types }: AutomationRunSteps, now: string): void {
  setCurrentDetails(
    [
      `**${quoteLabel(quoteNumber)}** · automatización ${automationId}`,
      '',
      `- Acciones: ${types.join(', ')}`,
      `- ${now}`,
    ].join('\n'),
  );
}
