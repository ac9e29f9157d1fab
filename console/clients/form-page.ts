import { COUNTRIES } from '../countries.ts';
import { MAX_CONTACTS } from '../../domain/contacts.ts';
import { type Html, html } from '../../domain/html.ts';
import { type FieldSet, fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import { type FormState, rowCount } from '../forms/form-state.ts';
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
  'contacts.*.name': 'Nombre',
  'contacts.*.email': 'Correo electrónico',
  'contacts.*.phone': 'Teléfono',
  'contacts.*.role': 'Puesto',
};

/** Rows for a further person, besides those that the client has. */
const EMPTY_CONTACTS = 1;

function contactsCard(form: FormState, fields: FieldSet): Html {
  const filled = rowCount(form, 'contacts');
  const count = Math.min(filled + EMPTY_CONTACTS, Math.max(filled, MAX_CONTACTS));
  const message = form.errors.get('contacts');
  const row = (number: number): Html => {
    const nameOf = (member: string) => `contacts.${number}.${member}`;
    return html`<fieldset class="row-fields">
      <legend>Persona ${number + 1}</legend>
      ${fields.text(nameOf('name'), { maxlength: 200 })} ${fields.text(nameOf('role'), { maxlength: 100 })}
      ${fields.text(nameOf('email'), { type: 'email', maxlength: 254 })}
      ${fields.text(nameOf('phone'), { type: 'tel', maxlength: 40 })}
    </fieldset>`;
  };
  // The empty field makes a list without people empty, not unchanged.
  return html`<details class="card fold" id="contacts" ${filled > 0 || message !== undefined ? html`open` : null}>
    <summary>Más personas del cliente</summary>
    <p class="soft">A ellas también puede enviarles cotizaciones.</p>
    ${message === undefined ? null : html`<p class="error" id="contacts-error">${message}</p>`}
    <input type="hidden" name="contacts" value="" />
    ${Array.from({ length: count }, (_, number) => row(number))}
  </details>`;
}

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
      </div>
      ${contactsCard(form, fields)} ${fields.hidden('countryWas')}`,
  })}`;
  return { title, body };
}
