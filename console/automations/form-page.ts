import { TRIGGERS } from '../../domain/automation.ts';
import { type Html, html } from '../../domain/html.ts';
import { TEXT_VARIABLES } from '../../domain/template-text.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { actionsCard, type LabelOption } from './action-fields.ts';
import { conditionsCard } from './condition-fields.ts';
import { delayFields } from './delay-fields.ts';
import { TRIGGER_NAMES, VARIABLE_NAMES } from './words.ts';

export interface AutomationFormView {
  readonly form: FormState;
  readonly title: string;
  readonly action: string;
  readonly submit: string;
  readonly cancel: string;
  readonly labels: readonly LabelOption[];
  /** The field that gets the focus after a row was added, moved or removed. */
  readonly focus?: string | undefined;
}

const LABELS = {
  name: 'Nombre',
  trigger: 'Cuándo',
  delayMinutes: 'Esperar',
  delayUnit: 'Unidad de la espera',
  isActive: 'Activa',
  conditions: 'Condiciones',
  newCondition: 'Agregar una condición',
  'conditions.*.operator': 'Comparación',
  'conditions.*.value': 'Valor',
  actions: 'Acciones',
  newAction: 'Agregar una acción',
  'actions.*.to': 'Para',
  'actions.*.customEmail': 'Dirección',
  'actions.*.subject': 'Asunto',
  'actions.*.body': 'Texto',
  'actions.*.title': 'Título',
  'actions.*.newStatus': 'Estado nuevo',
  'actions.*.labelId': 'Etiqueta',
  'actions.*.delayMinutes': 'Esperar',
  'actions.*.delayUnit': 'Unidad de la espera',
  'actions.*.message': 'Qué recordar',
  'actions.*.url': 'Dirección (URL)',
  'actions.*.headerLines': 'Encabezados',
  'actions.*.includeItems': 'Incluir las partidas de la cotización',
};

/** The form of an automation. Its buttons that add, move and remove rows post it and show it changed. */
export function automationFormPage(view: AutomationFormView): { readonly title: string; readonly body: Html } {
  const { form, title, action, submit, cancel } = view;
  const fields = fieldSet(form, LABELS);
  const body = html`${heading(title)}
  ${formElement({
    form,
    action,
    labels: LABELS,
    submit,
    cancel,
    // The first button of a form is the one that Enter presses.
    body: html`<button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true">${submit}</button>
      <div class="card">
        <div class="grid">
          ${fields.text('name', { isRequired: true, maxlength: 100 })}
          ${fields.select(
            'trigger',
            [
              { value: '', label: 'Elija qué la inicia' },
              ...TRIGGERS.map((value) => ({ value, label: TRIGGER_NAMES[value] })),
            ],
            { isRequired: true },
          )}
        </div>
        ${delayFields(fields, '', 'Entre lo que sucede y las acciones. 0 es de inmediato; a lo más un año.')}
        ${fields.check('isActive', { hint: 'Una automatización inactiva se conserva, pero no hace nada.' })}
      </div>
      ${conditionsCard(view, fields)} ${actionsCard(view, fields)} ${variables}`,
  })}`;
  return { title, body };
}

const variables = html`<details class="card more">
  <summary>Datos de la cotización que puede usar en los textos</summary>
  <p class="hint">Escríbalos con sus llaves, por ejemplo: Hola {{client.contactName}}</p>
  <dl class="variables">
    ${TEXT_VARIABLES.map(
      (name) =>
        html`<div>
          <dt><code>{{${name}}}</code></dt>
          <dd>${VARIABLE_NAMES[name] ?? ''}</dd>
        </div>`,
    )}
  </dl>
</details>`;
