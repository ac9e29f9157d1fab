import { type Html, html } from '../../domain/html.ts';
import type { FieldSet } from '../forms/fields.ts';
import { type FormState, valueOf } from '../forms/form-state.ts';

interface LineView {
  readonly form: FormState;
  readonly fields: FieldSet;
  readonly row: number;
}

const RARE = ['description', 'section', 'model', 'discountPct', 'choice', 'optional', 'selected'];

/** The fields of one line: what every line has, and the rest folded. */
export function lineFields({ form, fields, row }: LineView): Html {
  const nameOf = (member: string): string => `items.${row}.${member}`;
  const isWrong = [...form.errors.keys()].some((name) => RARE.some((member) => name === nameOf(member)));
  const set = summaryOf(form, nameOf);
  return html`<li>
    <fieldset class="row-fields line-item" id="items.${row}" tabindex="-1">
      <legend>Partida ${row + 1}</legend>
      ${hidden(form, nameOf)}
      <div class="line-main">
        ${fields.text(nameOf('productName'), { isRequired: true, maxlength: 2000 })}
        ${fields.text(nameOf('quantity'), { isRequired: true, inputmode: 'decimal', maxlength: 20 })}
        ${fields.text(nameOf('unitPrice'), { isRequired: true, inputmode: 'decimal', maxlength: 20 })}
      </div>
      <div class="line-foot">
        <details class="fold" ${isWrong ? html`open` : null}>
          <summary>
            Más datos<span class="visually-hidden"> de la partida ${row + 1}</span>${
              set === '' ? null : html` <span class="soft">${set}</span>`
            }
          </summary>
          <div class="grid">
            ${fields.text(nameOf('unit'), { maxlength: 20, placeholder: 'm², hora, caja' })}
            ${fields.text(nameOf('discountPct'), { inputmode: 'decimal', maxlength: 10 })}
            ${fields.text(nameOf('model'), { maxlength: 200 })} ${fields.text(nameOf('section'), { maxlength: 100 })}
          </div>
          <div class="stack fold-rest">
            ${fields.area(nameOf('description'), { maxlength: 2000, rows: 2 })}
            ${fields.text(nameOf('choice'), { maxlength: 60, hint: 'Las partidas de un mismo grupo son alternativas.' })}
            ${fields.check(nameOf('optional'))} ${fields.check(nameOf('selected'))}
          </div>
        </details>
        <button type="submit" class="button button-quiet" name="do" value="remove.${row}">
          Quitar<span class="visually-hidden"> la partida ${row + 1}</span>
        </button>
      </div>
    </fieldset>
  </li>`;
}

function summaryOf(form: FormState, nameOf: (member: string) => string): string {
  const text = (member: string): string => valueOf(form, nameOf(member));
  const discount = text('discountPct');
  return [
    text('section'),
    text('unit') === '' ? '' : `por ${text('unit')}`,
    discount === '' || Number(discount) === 0 ? '' : `${discount} % de descuento`,
    text('choice') === '' ? '' : `alternativa de ${text('choice')}`,
    text('optional') === 'true' ? 'opcional' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** What the form keeps and does not show; `row` marks a line in which nothing is filled in yet. */
function hidden(form: FormState, nameOf: (member: string) => string): Html {
  const taxes = form.fields.get(nameOf('taxes')) ?? [];
  return html`<input type="hidden" name="${nameOf('row')}" value="1" />
    <input type="hidden" name="${nameOf('productId')}" value="${valueOf(form, nameOf('productId'))}" />
    ${taxes.map((code) => html`<input type="hidden" name="${nameOf('taxes')}" value="${code}" />`)}`;
}
