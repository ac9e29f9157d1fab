import type { AutomationAction, AutomationLogStatus, Trigger } from '../../domain/automation.ts';
import { linkWarnings } from '../../domain/client-link.ts';
import type { Condition } from '../../domain/conditions.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { confirmed } from '../confirm.ts';
import { moment } from '../figures.ts';
import { actionForm } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';
import { table } from '../tables.ts';
import type { LabelOption } from './action-fields.ts';
import { PATH } from './list-page.ts';
import {
  ACTION_NAMES,
  activeChip,
  conditionText,
  delayText,
  readableError,
  RECIPIENT_NAMES,
  runChip,
  statusName,
  TRIGGER_NAMES,
} from './words.ts';

interface Run {
  readonly id: string;
  readonly quoteId: string;
  readonly status: AutomationLogStatus;
  readonly triggeredAt: string;
  readonly completedAt: string | null;
  readonly error: string | null;
}

export interface AutomationView {
  readonly automation: {
    readonly id: string;
    readonly name: string;
    readonly trigger: Trigger;
    readonly isActive: boolean;
    readonly conditions: readonly Condition[];
    readonly actions: readonly AutomationAction[];
    readonly delayMinutes: number;
  };
  readonly runs: {
    readonly logs: readonly Run[];
    readonly total: number;
    readonly page: number;
    readonly totalPages: number;
  };
  readonly labels: readonly LabelOption[];
  readonly form: FormState;
  readonly timeZone: TimeZone;
}

/** What an automation does, and its runs. */
export function automationPage(view: AutomationView): { readonly title: string; readonly body: Html } {
  const { automation, form } = view;
  const { id, name, isActive } = automation;
  const path = `${PATH}/${id}`;
  const body = html`${heading(name, {
      lead: activeChip(isActive),
      actions: [
        html`<a class="button button-plain" href="${path}/test">Probar</a>`,
        html`<a class="button button-main" href="${path}/edit">Editar</a>`,
      ],
    })}
    ${warnings(view)} ${rules(view)} ${runs(view)}
    <div class="actions">
      ${actionForm({ action: `${path}/${isActive ? 'deactivate' : 'activate'}`, submit: isActive ? 'Desactivar' : 'Activar' })}
      ${confirmed({
        form,
        action: `${path}/delete`,
        label: 'Borrar',
        text: `Se borra «${name}» con el registro de sus ejecuciones. No se puede deshacer.`,
        submit: 'Borrar la automatización',
      })}
    </div>`;
  return { title: name, body };
}

function warnings({ automation: { trigger, actions } }: AutomationView): Html | null {
  const found = linkWarnings(trigger, actions);
  if (found.length === 0) return null;
  return html`<div class="notice notice-warn">
    <h2>Conviene corregirla</h2>
    ${found.map(({ path, message }) => html`<p>Acción ${Number(path.split('.')[1]) + 1}: ${message}.</p>`)}
  </div>`;
}

function rules({ automation: { trigger, delayMinutes, conditions, actions }, labels }: AutomationView): Html {
  return html`<div class="card">
    <dl class="rules">
      <div>
        <dt>Cuándo</dt>
        <dd>${TRIGGER_NAMES[trigger]}</dd>
      </div>
      <div>
        <dt>Condiciones</dt>
        <dd>
          ${
            conditions.length === 0
              ? 'Ninguna: se hace siempre.'
              : html`<ul>
                  ${conditions.map((condition) => html`<li>${conditionText(condition)}</li>`)}
                </ul>`
          }
        </dd>
      </div>
      <div>
        <dt>Espera</dt>
        <dd>${delayMinutes === 0 ? 'Ninguna' : delayText(delayMinutes)}</dd>
      </div>
      <div>
        <dt>Acciones</dt>
        <dd>
          <ol class="numbered">
            ${actions.map(
              (action) =>
                html`<li>${ACTION_NAMES[action.type]}<span class="sub">${summaryOf(action, labels)}</span></li>`,
            )}
          </ol>
        </dd>
      </div>
    </dl>
  </div>`;
}

function summaryOf(action: AutomationAction, labels: readonly LabelOption[]): string {
  switch (action.type) {
    case 'send_email':
      return `${action.to === 'custom' ? (action.customEmail ?? '') : RECIPIENT_NAMES[action.to]}: ${action.subject}`;
    case 'send_notification':
      return action.title;
    case 'create_reminder':
      return `${action.delayMinutes === 0 ? 'De inmediato' : `${delayText(action.delayMinutes)} después`}: ${action.message}`;
    case 'change_status':
      return statusName(action.newStatus);
    case 'add_label':
      return labels.find(({ id }) => id === action.labelId)?.name ?? 'Una etiqueta que ya no existe';
    case 'fire_webhook':
      return `${action.url}, ${action.includeItems ? 'con' : 'sin'} partidas`;
    default:
      return assertNever(action);
  }
}

function runs({ automation: { id }, runs: { logs, total, page, totalPages }, timeZone }: AutomationView): Html {
  const path = `${PATH}/${id}`;
  return html`<section class="runs" aria-labelledby="runs-title">
    <h2 id="runs-title">Ejecuciones</h2>
    ${
      logs.length === 0
        ? html`<p class="soft">
            Ninguna todavía. <a href="${path}/test">Pruébela con una cotización</a> para ver qué haría, sin hacerlo.
          </p>`
        : html`<p class="count">${total === 1 ? '1 ejecución' : `${total.toLocaleString('es-MX')} ejecuciones`}</p>
            ${table(
              'Ejecuciones',
              [{ label: 'Empezó' }, { label: 'Resultado' }, { label: 'Terminó' }, { label: 'Cotización' }],
              logs.map((run) => ({
                cells: [
                  moment(run.triggeredAt, timeZone),
                  html`${runChip(run)}${run.error === null ? null : html`<span class="sub">${readableError(run.error)}</span>`}`,
                  run.completedAt === null ? 'En espera' : moment(run.completedAt, timeZone),
                  html`<a href="/app/quotes/${run.quoteId}">Ver la cotización</a>`,
                ],
              })),
            )}
            ${pagination({
              first: page > 1 ? path : undefined,
              next: page < totalPages ? listUrl(path, { page: page + 1 }) : undefined,
            })}`
    }
  </section>`;
}
