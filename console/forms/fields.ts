import { type Html, html } from '../../domain/html.ts';
import { type FormState, valueOf } from './form-state.ts';

/** Labels by field name, with `*` for the numbers of rows: `items.*.quantity`. */
export type Labels = Readonly<Record<string, string>>;

const patternOf = (name: string): string => name.replaceAll(/\.\d+(?=\.|$)/g, '.*');

/** The label of a field; in a row with its number, as people count. */
export function labelOf(labels: Labels, name: string): string | undefined {
  if (labels[name] !== undefined) return labels[name];
  const label = labels[patternOf(name)];
  const row = /\.(\d+)(?=\.|$)/.exec(name)?.[1];
  return label === undefined || row === undefined ? label : `${label} (fila ${Number(row) + 1})`;
}

interface Common {
  readonly hint?: string | Html;
  readonly isRequired?: boolean;
  /** For numbers and dates. */
  readonly isShort?: boolean;
  /** In a filter, where every field is optional. */
  readonly isOptionalHidden?: boolean;
  /** For screen readers only, where a table's column names the field. */
  readonly isLabelHidden?: boolean;
  /** For the enhancement: `hx-…` and `data-…` attributes. */
  readonly attributes?: Html;
}

interface TextOptions extends Common {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'search' | 'date' | 'password';
  readonly inputmode?: 'decimal' | 'numeric' | 'email';
  readonly autocomplete?: string;
  readonly maxlength?: number;
  readonly placeholder?: string;
  readonly isFocused?: boolean;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** The fields of a form, with their values and messages. */
export interface FieldSet {
  text(name: string, options?: TextOptions): Html;
  area(name: string, options?: Common & { readonly rows?: number; readonly maxlength?: number }): Html;
  select(name: string, options: readonly Option[], common?: Common): Html;
  /** True when checked, false when not. */
  check(name: string, common?: Common): Html;
  /** One of several check boxes that make a list. */
  choice(name: string, option: Option): Html;
  hidden(name: string): Html;
}

export function fieldSet(form: FormState, labels: Labels): FieldSet {
  const parts = (
    name: string,
    { hint, isRequired = false, isShort = false, isLabelHidden = false, isOptionalHidden = isLabelHidden }: Common,
  ) => {
    const message = form.errors.get(name);
    const described = [hint === undefined ? null : `${name}-hint`, message === undefined ? null : `${name}-error`];
    const ids = described.filter((id) => id !== null).join(' ');
    return {
      attributes: html`id="${name}" name="${name}" ${ids === '' ? null : html`aria-describedby="${ids}"`}
      ${message === undefined ? null : html`aria-invalid="true"`} ${isRequired ? html`required` : null}`,
      wrap: (input: Html) =>
        html`<div class="field ${isShort ? 'field-short' : ''}">
          <label for="${name}" class="${isLabelHidden ? 'visually-hidden' : 'label'}"
            >${labels[name] ?? labels[patternOf(name)] ?? name}${isRequired || isOptionalHidden ? null : html` <span class="optional">opcional</span>`}</label
          >
          ${input}${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}${error(name, message)}
        </div>`,
    };
  };

  return {
    text(name, options = {}) {
      const { type = 'text', inputmode, autocomplete, maxlength, placeholder, isFocused = false } = options;
      const { attributes, wrap } = parts(name, options);
      return wrap(
        html`<input
          type="${type}"
          ${attributes}
          value="${type === 'password' ? '' : valueOf(form, name)}"
          ${given('inputmode', inputmode)}${given('autocomplete', autocomplete ?? 'off')}${given('maxlength', maxlength)}
          ${given('placeholder', placeholder)}
          ${isFocused ? html`autofocus` : null}
          ${options.attributes ?? null}
        />`,
      );
    },
    area(name, options = {}) {
      const { attributes, wrap } = parts(name, options);
      // A line break after the tag is not part of the value.
      return wrap(
        html`<textarea
          ${attributes}
          rows="${options.rows ?? 3}"
          ${given('maxlength', options.maxlength)}
          ${options.attributes ?? null}
        >
${valueOf(form, name)}</textarea>`,
      );
    },
    select(name, options, common = {}) {
      const { attributes, wrap } = parts(name, common);
      const current = valueOf(form, name);
      return wrap(
        html`<select ${attributes} ${common.attributes ?? null}>
          ${options.map(
            ({ value, label }) =>
              html`<option value="${value}" ${value === current ? html`selected` : null}>${label}</option>`,
          )}
        </select>`,
      );
    },
    check(name, common = {}) {
      const message = form.errors.get(name);
      // The companion before it is the value of an unchecked box.
      return html`<div class="field">
        <input type="hidden" name="${name}" value="false" />
        <label class="check">
          <input
            type="checkbox"
            id="${name}"
            name="${name}"
            value="true"
            ${valueOf(form, name) === 'true' ? html`checked` : null}
            ${common.hint === undefined ? null : html`aria-describedby="${name}-hint"`}
            ${common.attributes ?? null}
          />
          <span>${labels[name] ?? labels[patternOf(name)] ?? name}</span>
        </label>
        ${common.hint === undefined ? null : html`<p class="hint" id="${name}-hint">${common.hint}</p>`}${error(name, message)}
      </div>`;
    },
    choice: (name, { value, label }) =>
      html`<label class="check">
        <input
          type="checkbox"
          name="${name}"
          value="${value}"
          ${form.fields.get(name)?.includes(value) ? html`checked` : null}
        />
        <span>${label}</span>
      </label>`,
    hidden: (name) => html`<input type="hidden" name="${name}" value="${valueOf(form, name)}" />`,
  };
}

const given = (name: string, value: string | number | undefined): Html | null =>
  value === undefined ? null : html` ${name}="${value}"`;

const error = (name: string, message: string | undefined): Html | null =>
  message === undefined ? null : html`<p class="error" id="${name}-error">${message}</p>`;
