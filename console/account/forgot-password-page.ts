import { html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { accountCard, type AccountPage, SIGN_IN } from './card.ts';

const LABELS = { email: 'Correo electrónico' };

export function forgotPasswordPage(form: FormState): AccountPage {
  const fields = fieldSet(form, LABELS);
  return accountCard('Recuperar el acceso', {
    lead: 'Escriba su correo y le enviaremos un enlace para elegir otra contraseña.',
    body: html`<form class="form" method="post" action="/forgot-password" novalidate data-once>
      ${errorSummary({ form, labels: LABELS })}
      ${fields.text('email', { type: 'email', isRequired: true, maxlength: 254, autocomplete: 'username', inputmode: 'email' })}
      <button type="submit" class="button button-main button-wide">Enviar el enlace</button>
    </form>`,
    links: [SIGN_IN],
  });
}

/** The same for every address, so that it does not tell who has an account. */
export const linkSentPage: AccountPage = accountCard('Revise su correo', {
  lead: 'Si esa dirección tiene una cuenta, en unos minutos recibirá un enlace. Vale una hora y sirve una sola vez. Si no llega, busque en correo no deseado.',
  links: [SIGN_IN],
});
