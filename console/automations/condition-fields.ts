import { CONDITION_FIELDS, conditionField, type ConditionField } from '../../domain/conditions.ts';
import { type Html, html } from '../../domain/html.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import type { FieldSet } from '../forms/fields.ts';
import { type FormState, rowCount, valueOf } from '../forms/form-state.ts';
import { STATUSES } from '../quotes/status.ts';
import { listError, rowButton } from './rows.ts';
import { FIELD_NAMES, OPERATOR_NAMES } from './words.ts';

/** The conditions of an automation. Each row keeps its field, so it offers only what that field can be compared with. */
export function conditionsCard(
  { form, focus }: { readonly form: FormState; readonly focus?: string | undefined },
  fields: FieldSet,
): Html {
  const rows = Array.from({ length: rowCount(form, 'conditions') }, (_, row) =>
    conditionRow(form, fields, { row, focus }),
  );
  return html`<div class="card rows" id="conditions">
    <h2>Condiciones</h2>
    <p class="soft">
      ${rows.length === 0 ? 'Sin condiciones se hace siempre. Agregue una para limitarla.' : 'Se deben cumplir todas.'}
    </p>
    <input type="hidden" name="conditions" value="" />
    ${listError('conditions', form.errors.get('conditions'))}${rows}
    <div class="adder">
      ${fields.select(
        'newCondition',
        CONDITION_FIELDS.map((value) => ({ value, label: FIELD_NAMES[value] })),
        { isOptionalHidden: true, ...(focus === 'newCondition' && { attributes: html`autofocus` }) },
      )}
      ${rowButton({ value: 'add-condition', label: 'Agregar condición', style: 'button-plain' })}
    </div>
  </div>`;
}

const isField = (name: string): name is ConditionField => CONDITION_FIELDS.some((each) => each === name);

function conditionRow(
  form: FormState,
  fields: FieldSet,
  { row, focus }: { readonly row: number; readonly focus: string | undefined },
): Html {
  const name = `conditions.${row}`;
  const given = valueOf(form, `${name}.field`);
  const field = isField(given) ? given : 'status';
  const label = `Condición ${row + 1}: ${FIELD_NAMES[field]}`;
  const { operators } = conditionField(field);
  return html`<fieldset class="condition">
    <legend>${FIELD_NAMES[field]}</legend>
    ${fields.hidden(`${name}.field`)}
    ${fields.select(
      `${name}.operator`,
      operators.map((value) => ({ value, label: OPERATOR_NAMES[value] })),
      { isLabelHidden: true, ...(focus === `${name}.operator` && { attributes: html`autofocus` }) },
    )}
    <div class="condition-value">${valueField(fields, `${name}.value`, field)}</div>
    ${rowButton({ value: `${name}.remove`, label: 'Quitar', says: `Quitar. ${label}` })}
  </fieldset>`;
}

function valueField(fields: FieldSet, name: string, field: ConditionField): Html {
  if (field === 'status')
    return fields.select(
      name,
      QUOTE_STATUSES.map((value) => ({ value, label: STATUSES[value].label })),
      { isLabelHidden: true },
    );
  if (field === 'currency') return fields.text(name, { isLabelHidden: true, maxlength: 3, placeholder: 'MXN' });
  if (conditionField(field).type === 'number')
    return fields.text(name, { isLabelHidden: true, inputmode: 'decimal', maxlength: 24 });
  return fields.text(name, { isLabelHidden: true, maxlength: 2000 });
}
