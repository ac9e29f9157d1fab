import { assertNever } from '../../domain/assert-never.ts';
import { EMAIL_RECIPIENTS } from '../../domain/automation.ts';
import { type Html, html } from '../../domain/html.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import type { FieldSet } from '../forms/fields.ts';
import { type FormState, rowCount, valueOf } from '../forms/form-state.ts';
import { STATUSES } from '../quotes/status.ts';
import { delayFields } from './delay-fields.ts';
import { listError, rowButton } from './rows.ts';
import { ACTION_NAMES, type ActionType, RECIPIENT_NAMES } from './words.ts';

export interface LabelOption {
  readonly id: string;
  readonly name: string;
}

interface ActionsView {
  readonly form: FormState;
  readonly labels: readonly LabelOption[];
  readonly focus?: string | undefined;
}

// The keys of a record of all of them.
export const ACTION_TYPES = Object.keys(ACTION_NAMES) as readonly ActionType[];
const isType = (text: string): text is ActionType => ACTION_TYPES.some((type) => type === text);

/** The actions of an automation, in the order in which they happen. */
export function actionsCard(view: ActionsView, fields: FieldSet): Html {
  const { form, focus } = view;
  const count = rowCount(form, 'actions');
  const isEmpty = count === 0;
  return html`<div class="card rows" id="actions">
    <h2>Acciones</h2>
    <p class="soft">${isEmpty ? 'Agregue al menos una.' : 'Se hacen en este orden.'}</p>
    <input type="hidden" name="actions" value="" />
    ${listError('actions', form.errors.get('actions'))}
    ${Array.from({ length: count }, (_, row) => actionRow(view, fields, row))}
    <div class="adder">
      ${fields.select(
        'newAction',
        ACTION_TYPES.map((value) => ({ value, label: ACTION_NAMES[value] })),
        { isOptionalHidden: true, ...(focus === 'newAction' && { attributes: html`autofocus` }) },
      )}
      ${rowButton({ value: 'add-action', label: 'Agregar acción', style: 'button-plain' })}
    </div>
  </div>`;
}

function actionRow(view: ActionsView, fields: FieldSet, row: number): Html {
  const name = `actions.${row}`;
  const given = valueOf(view.form, `${name}.type`);
  const type = isType(given) ? given : 'send_notification';
  const title = `${row + 1}. ${ACTION_NAMES[type]}`;
  const isFocused = view.focus === name;
  return html`<fieldset class="action" id="${name}" ${isFocused ? html`tabindex="-1" autofocus` : null}>
    <legend>${title}</legend>
    ${fields.hidden(`${name}.type`)}
    <div class="action-fields">${partsOf(type, `${name}.`, fields, view)}</div>
    <div class="actions">
      ${row === 0 ? null : rowButton({ value: `${name}.up`, label: 'Subir', says: `Subir. ${title}` })}
      ${rowButton({ value: `${name}.remove`, label: 'Quitar', says: `Quitar. ${title}` })}
    </div>
  </fieldset>`;
}

function partsOf(type: ActionType, prefix: string, fields: FieldSet, { labels }: ActionsView): Html {
  switch (type) {
    case 'send_email':
      return html`<div class="grid">
          ${fields.select(
            `${prefix}to`,
            EMAIL_RECIPIENTS.map((value) => ({ value, label: RECIPIENT_NAMES[value] })),
            { isRequired: true },
          )}
          <div class="custom-email">
            ${fields.text(`${prefix}customEmail`, { type: 'email', maxlength: 254, isOptionalHidden: true })}
          </div>
        </div>
        ${fields.text(`${prefix}subject`, { isRequired: true, maxlength: 255 })}
        ${fields.area(`${prefix}body`, { isRequired: true, rows: 5, maxlength: 10_000 })}`;
    case 'send_notification':
      return html`${fields.text(`${prefix}title`, { isRequired: true, maxlength: 255 })}
      ${fields.area(`${prefix}body`, { isRequired: true, maxlength: 2000 })}`;
    case 'create_reminder':
      return html`${delayFields(fields, prefix, 'Desde que se hace la acción. Lo recibe quien creó la cotización.')}
      ${fields.area(`${prefix}message`, { isRequired: true, rows: 2, maxlength: 2000 })}`;
    case 'change_status':
      return fields.select(
        `${prefix}newStatus`,
        QUOTE_STATUSES.map((value) => ({ value, label: STATUSES[value].label })),
        { isRequired: true, hint: 'Si la cotización no puede pasar a ese estado, la acción se omite.' },
      );
    case 'add_label':
      return fields.select(
        `${prefix}labelId`,
        [{ value: '', label: 'Elija una etiqueta' }, ...labels.map(({ id, name }) => ({ value: id, label: name }))],
        { isRequired: true, ...(labels.length === 0 && { hint: 'Todavía no hay etiquetas.' }) },
      );
    case 'fire_webhook':
      return html`${fields.text(`${prefix}url`, { type: 'url', isRequired: true, maxlength: 2048, placeholder: 'https://' })}
      ${fields.area(`${prefix}headerLines`, {
        rows: 2,
        maxlength: 5000,
        hint: 'Uno por línea, por ejemplo: X-Origen: cotizaciones',
      })}
      ${fields.check(`${prefix}includeItems`)}`;
    default:
      return assertNever(type);
  }
}
