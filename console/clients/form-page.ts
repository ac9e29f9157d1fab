import { COUNTRIES } from '../countries.ts';
import { type Html, html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { LANGUAGES } from '../languages.ts';

interface ClientFormView {
  readonly form: FormState;
  readonly title: string;
  readonly action: string;
  readonly submit: string;
  readonly cancel: string;
  /** The page of the record as it is now. */
  readonly current?: string;
}

const LABELS = {
  contactName: 'Nombre del contacto',
  companyName: 'Empresa',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  taxId: 'Clave fiscal (en México, RFC)',
  address: 'Dirección',
  country: 'País',
  locale: 'Idioma de lo que recibe',
  notes: 'Notas internas',
};

/** The form of a client, for a new one and for changes. */
export function clientFormPage(view: ClientFormView): { readonly title: string; readonly body: Html } {
  const { form, title, action, submit, cancel, current } = view;
  const fields = fieldSet(form, LABELS);
  const body = html`${heading(title)}
  ${formElement({
    form,
    action,
    labels: LABELS,
    submit,
    cancel,
    ...(current !== undefined && { current }),
    body: html`<div class="card">
        <div class="grid">
          ${fields.text('contactName', { isRequired: true, maxlength: 200, autocomplete: 'off' })}
          ${fields.text('companyName', { maxlength: 200 })}
          ${fields.text('email', { type: 'email', maxlength: 254, hint: 'Sin él no se le pueden enviar cotizaciones por correo.' })}
          ${fields.text('phone', { type: 'tel', maxlength: 40 })}
        </div>
      </div>
      <div class="card">
        <h2>Datos fiscales y dirección</h2>
        <div class="grid">
          ${fields.text('taxId', { maxlength: 20 })}
          ${fields.select('country', [{ value: '', label: 'El del negocio' }, ...COUNTRIES])}
        </div>
        ${fields.area('address', { maxlength: 500, rows: 3 })}
      </div>
      <div class="card">
        <h2>Preferencias</h2>
        <div class="grid">${fields.select('locale', [{ value: '', label: 'El del negocio' }, ...LANGUAGES])}</div>
        ${fields.area('notes', { maxlength: 2000, hint: 'El cliente no las ve.' })}
      </div>`,
  })}`;
  return { title, body };
}
