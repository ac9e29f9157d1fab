import { type Html, html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';

const LABELS = { name: 'Nombre', email: 'Correo electrónico' };

/** The form that invites a collaborator. */
export function invitePage(form: FormState): { readonly title: string; readonly body: Html } {
  const title = 'Invitar a un colaborador';
  const fields = fieldSet(form, LABELS);
  const body = html`${heading(title, { lead: 'Recibe un correo con un enlace para crear su contraseña, que vale siete días.' })}
  ${formElement({
    form,
    action: '/app/team/new',
    labels: LABELS,
    submit: 'Enviar la invitación',
    cancel: '/app/team',
    body: html`<div class="card">
      <div class="grid">
        ${fields.text('name', { isRequired: true, maxlength: 100 })}
        ${fields.text('email', { type: 'email', isRequired: true, maxlength: 254 })}
      </div>
    </div>`,
  })}`;
  return { title, body };
}
