import { KEY_SCOPES } from '../../domain/caller.ts';
import { type Html, html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { SCOPES } from './list-page.ts';

const LABELS = { name: 'Para qué es', scope: 'Alcance', expiresAt: 'Vence el' };

/** The form of a new key. */
export function newKeyPage(form: FormState): { readonly title: string; readonly body: Html } {
  const title = 'Clave nueva';
  const fields = fieldSet(form, LABELS);
  const body = html`${heading(title)}
  ${formElement({
    form,
    action: '/app/api-keys/new',
    labels: LABELS,
    submit: 'Crear la clave',
    cancel: '/app/api-keys',
    body: html`<div class="card">
      ${fields.text('name', { isRequired: true, maxlength: 100, hint: 'Por ejemplo, el nombre del sistema que la usará.' })}
      ${fields.select(
        'scope',
        KEY_SCOPES.map((value) => ({ value, label: SCOPES[value] })),
        { isRequired: true, hint: 'Para reportes basta «Solo consultar».' },
      )}
      ${fields.text('expiresAt', { type: 'date', isShort: true, hint: 'Vale hasta el final de ese día. Sin fecha no vence.' })}
    </div>`,
  })}`;
  return { title, body };
}

/** The new key, which is shown only once. */
export function createdKeyPage(created: { readonly name: string; readonly key: string }): {
  readonly title: string;
  readonly body: Html;
} {
  const title = 'Clave creada';
  const body = html`${heading(title, { lead: `«${created.name}» ya se puede usar.` })}
    <div class="card">
      <div class="field">
        <label class="label" for="created-key">Su clave</label>
        <p class="hint" id="created-key-hint">Cópiela ahora y guárdela en un lugar seguro: no se vuelve a mostrar.</p>
        <input
          id="created-key"
          class="code"
          readonly
          value="${created.key}"
          aria-describedby="created-key-hint"
          autofocus
        />
      </div>
      <div class="form-actions"><a class="button button-main" href="/app/api-keys">Ya la guardé</a></div>
    </div>`;
  return { title, body };
}
