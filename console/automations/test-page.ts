import type { ConditionField, Operator } from '../../domain/conditions.ts';
import { type Html, html } from '../../domain/html.ts';
import { money } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { PATH } from './list-page.ts';
import { ACTION_NAMES, type ActionType, conditionText, statusName } from './words.ts';

interface QuoteOption {
  readonly id: string;
  readonly displayNumber: string;
  readonly total: string;
  readonly currency: string;
  readonly client: { readonly contactName: string; readonly companyName: string | null };
}

interface Outcome {
  readonly matched: boolean;
  readonly conditions: readonly {
    readonly field: ConditionField;
    readonly operator: Operator;
    readonly value: string | number | null;
    readonly actual: unknown;
    readonly holds: boolean;
  }[];
  readonly actions: readonly { readonly type: string; readonly preview: string }[];
}

export interface AutomationTestView {
  readonly id: string;
  readonly name: string;
  readonly quotes: readonly QuoteOption[];
  readonly form: FormState;
  /** Absent until a quote is chosen. */
  readonly outcome?: Outcome | undefined;
}

const LABELS = { search: 'Buscar la cotización', quoteId: 'Cotización' };

/** What an automation would do with a quote, without doing it. */
export function automationTestPage(view: AutomationTestView): { readonly title: string; readonly body: Html } {
  const { id, name, outcome } = view;
  const title = `Probar «${name}»`;
  const body = html`${heading(title, {
    lead: 'Muestra qué condiciones cumple una cotización y qué haría la automatización. No se envía ni se cambia nada.',
    actions: [html`<a class="button button-plain" href="${PATH}/${id}">Volver</a>`],
  })}
  ${choice(view)}
  ${outcome === undefined ? null : html`<section class="outcome" aria-live="polite">${result(outcome)}</section>`}`;
  return { title, body };
}

/** A search and a choice in one form: both are part of the address. */
function choice({ id, form, quotes }: AutomationTestView): Html {
  const fields = fieldSet(form, LABELS);
  const path = `${PATH}/${id}/test`;
  return html`<form class="card test-form" method="get" action="${path}">
    ${fields.text('search', { type: 'search', maxlength: 200, placeholder: 'Número, contacto o empresa', isOptionalHidden: true })}
    <button type="submit" class="button button-plain">Buscar</button>
    ${
      quotes.length === 0
        ? html`<p class="soft">Ninguna cotización coincide.</p>`
        : fields.select('quoteId', [{ value: '', label: 'Elija una cotización' }, ...quotes.map(optionOf)], {
            isOptionalHidden: true,
          })
    }
    ${quotes.length === 0 ? null : html`<button type="submit" class="button button-main">Probar</button>`}
  </form>`;
}

const optionOf = ({ id, displayNumber, client, total, currency }: QuoteOption) => ({
  value: id,
  label: `${displayNumber} · ${client.companyName ?? client.contactName} · ${money(total, currency)}`,
});

function result({ matched, conditions, actions }: Outcome): Html {
  return html`<div class="notice ${matched ? 'notice-good' : 'notice-warn'}">
      ${matched ? 'Las condiciones se cumplen: haría estas acciones.' : 'Las condiciones no se cumplen: no haría nada.'}
    </div>
    ${
      conditions.length === 0
        ? null
        : html`<div class="card">
            <h2>Condiciones</h2>
            <ul class="condition-results">
              ${conditions.map(
                (condition) =>
                  html`<li>
                    <span class="chip ${condition.holds ? 'chip-good' : 'chip-bad'}"
                      >${condition.holds ? 'Se cumple' : 'No se cumple'}</span
                    >
                    <span
                      >${conditionText(condition)}<span class="sub"
                        >La cotización tiene: ${actualText(condition)}</span
                      ></span
                    >
                  </li>`,
              )}
            </ul>
          </div>`
    }
    <div class="card">
      <h2>${matched ? 'Acciones' : 'Acciones, si se cumplieran'}</h2>
      <ol class="previews">
        ${actions.map(
          ({ type, preview }, index) =>
            html`<li>
              <h3>${index + 1}. ${Object.hasOwn(ACTION_NAMES, type) ? ACTION_NAMES[type as ActionType] : type}</h3>
              <p class="preview">${preview}</p>
            </li>`,
        )}
      </ol>
    </div>`;
}

function actualText({ field, actual }: Outcome['conditions'][number]): string {
  const texts = [actual].flat().map((each) => {
    if (each === null || each === '') return '(vacío)';
    const text = typeof each === 'string' ? each : JSON.stringify(each);
    return field === 'status' ? statusName(text) : text;
  });
  return texts.length === 0 ? '(sin partidas)' : texts.join(', ');
}
