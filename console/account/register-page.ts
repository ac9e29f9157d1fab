import { html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { accountCard, type AccountPage, SIGN_IN } from './card.ts';
import { PASSWORD_RULE } from './password-rule.ts';

const LABELS = {
  businessName: 'Nombre del negocio',
  name: 'Su nombre',
  email: 'Correo electrónico',
  password: 'Contraseña',
};

export function registerPage(form: FormState): AccountPage {
  const fields = fieldSet(form, LABELS);
  return accountCard('Crear una cuenta', {
    lead: 'Para cotizar con el nombre de su negocio. No necesita tarjeta.',
    body: html`<form class="form" method="post" action="/register" novalidate data-once>
      ${errorSummary({ form, labels: LABELS })}
      ${fields.text('businessName', { isRequired: true, maxlength: 100, autocomplete: 'organization' })}
      ${fields.text('name', { isRequired: true, maxlength: 100, autocomplete: 'name' })}
      ${fields.text('email', { type: 'email', isRequired: true, maxlength: 254, autocomplete: 'username', inputmode: 'email' })}
      ${fields.text('password', {
        type: 'password',
        isRequired: true,
        maxlength: 128,
        autocomplete: 'new-password',
        hint: PASSWORD_RULE,
      })}
      <button type="submit" class="button button-main button-wide">Crear la cuenta</button>
    </form>`,
    links: [html`<span>¿Ya tiene una? ${SIGN_IN}</span>`],
  });
}

/** Operators create the businesses of this installation. */
export const registrationClosedPage: AccountPage = accountCard('El registro está cerrado', {
  lead: 'Quien administra este servicio crea las cuentas. Pídale la suya; si ya la tiene, inicie sesión.',
  links: [SIGN_IN],
});
