import { type Html, html } from '../../domain/html.ts';
import { type Labels, labelOf } from './fields.ts';
import type { FormState } from './form-state.ts';

interface FormOptions {
  readonly form: FormState;
  readonly action: string;
  readonly labels: Labels;
  readonly body: Html;
  readonly submit: string;
  /** A button before the main one, such as a preview; Enter in a field presses it. */
  readonly secondary?: Html;
  /** Where «Cancelar» leads. */
  readonly cancel?: string;
  /** The page of the current version, for a form that is outdated. */
  readonly current?: string;
  /** The form uploads a file. */
  readonly isUpload?: boolean;
  readonly isDangerous?: boolean;
  /** For the enhancement: `hx-…` and `data-…` attributes. */
  readonly attributes?: Html;
}

/** A form with its error summary, its key and its buttons. */
export function formElement(options: FormOptions): Html {
  const { form, action, body, submit, secondary, cancel, isUpload = false, isDangerous = false, attributes } = options;
  const to = isUpload ? `${action}?key=${form.key}` : action;
  return html`<form
    class="form"
    method="post"
    action="${to}"
    ${isUpload ? html`enctype="multipart/form-data"` : null}
    novalidate
    data-once
    ${attributes ?? null}
  >
    ${errorSummary(options)} ${isUpload ? null : hiddenParts(form)} ${body}
    <div class="form-actions">
      ${secondary ?? null}
      <button type="submit" class="button ${isDangerous ? 'button-danger' : 'button-main'}">${submit}</button>
      ${cancel === undefined ? null : html`<a class="button button-quiet" href="${cancel}">Cancelar</a>`}
    </div>
  </form>`;
}

/** The key that makes a second submission give the first one's result, and the tag of the record. */
export const hiddenParts = ({ key, tag }: FormState): Html =>
  html`<input type="hidden" name="key" value="${key}" />${
      tag === undefined ? null : html`<input type="hidden" name="tag" value="${tag}" />`
    }`;

/** One button that posts, such as «Marcar como ganada». */
export const actionForm = ({
  form,
  action,
  submit,
  style = 'button-plain',
  body = null,
}: {
  /** Absent for operations without Idempotency-Key. */
  readonly form?: FormState;
  readonly action: string;
  readonly submit: string | Html;
  readonly style?: 'button-plain' | 'button-main' | 'button-danger' | 'button-quiet';
  readonly body?: Html | null;
}): Html =>
  html`<form class="action-form" method="post" action="${action}" data-once>
    ${form ? hiddenParts(form) : null}${body}<button type="submit" class="button ${style}">${submit}</button>
  </form>`;

interface SummaryOptions extends Pick<FormOptions, 'form' | 'labels' | 'current'> {
  /** Replaced while the form is filled in: the focus stays in the field. */
  readonly isLive?: boolean;
}

/** The refusal and the wrong fields, with links to them; it gets the focus. */
export function errorSummary({ form, labels, current, isLive = false }: SummaryOptions): Html | null {
  const { errors, refusal, isOutdated } = form;
  if (errors.size === 0 && refusal === undefined) return null;
  const names = [...form.fields.keys()];
  const items = [...errors].map(([name, message]) => {
    const text = `${labelOf(labels, name) ?? name}: ${message.charAt(0).toLocaleLowerCase('es-MX')}${message.slice(1)}`;
    const isShown = names.some((field) => field === name || field.startsWith(`${name}.`));
    return html`<li>${isShown ? html`<a href="#${name}">${text}</a>` : text}</li>`;
  });
  return html`<div class="summary" role="alert" tabindex="-1" ${isLive ? null : html`autofocus`}>
    <p class="summary-title">${refusal ?? 'Revise estos datos:'}</p>
    ${
      isOutdated
        ? html`<p>
            Lo que escribió sigue aquí y todavía no se guardó.
            ${current === undefined ? null : html`<a href="${current}">Vea la versión actual</a>.`} Si guarda ahora,
            reemplaza esos cambios.
          </p>`
        : null
    }
    ${
      items.length === 0
        ? null
        : html`<ul>
            ${items}
          </ul>`
    }
  </div>`;
}
