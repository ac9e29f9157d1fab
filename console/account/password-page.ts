import { type Html, html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';

const LABELS = { currentPassword: 'Contraseña actual', newPassword: 'Contraseña nueva' };

/** The form that changes the password. */
export function passwordPage(form: FormState): { readonly title: string; readonly body: Html } {
  const title = 'Cambiar la contraseña';
  const fields = fieldSet(form, LABELS);
  const body = html`${heading(title)}
  ${formElement({
    form,
    action: '/app/account/password',
    labels: LABELS,
    submit: 'Cambiar la contraseña',
    cancel: '/app/account',
    body: html`<div class="card">
      ${fields.text('currentPassword', { type: 'password', autocomplete: 'current-password', isRequired: true, maxlength: 128 })}
      ${fields.text('newPassword', {
        type: 'password',
        autocomplete: 'new-password',
        isRequired: true,
        maxlength: 128,
        hint: 'Al menos 8 caracteres. Una frase larga es más segura y más fácil de recordar.',
      })}
    </div>`,
  })}`;
  return { title, body };
}
