import { html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { actionForm, errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { accountCard, type AccountPage, FORGOTTEN, link, SIGN_IN } from './card.ts';
import { PASSWORD_RULE } from './password-rule.ts';

/** Pages of the links in mails. The form carries the token; only its submission uses it. */

const PASSWORD = {
  type: 'password',
  isRequired: true,
  maxlength: 128,
  autocomplete: 'new-password',
  hint: PASSWORD_RULE,
} as const;

const INVITATION_LABELS = { name: 'Su nombre', password: 'Elija una contraseña' };

export function invitationPage(form: FormState): AccountPage {
  const fields = fieldSet(form, INVITATION_LABELS);
  return accountCard('Acepte su invitación', {
    lead: 'Le invitaron a trabajar en las cotizaciones de un negocio. Elija su contraseña para entrar.',
    body: html`<form class="form" method="post" action="/invitation" novalidate data-once>
      ${errorSummary({ form, labels: INVITATION_LABELS })} ${fields.hidden('token')}
      ${fields.text('name', { maxlength: 100, autocomplete: 'name', hint: 'Vacío: el nombre que escribió quien le invitó.' })}
      ${fields.text('password', PASSWORD)}
      <button type="submit" class="button button-main button-wide">Aceptar y entrar</button>
    </form>`,
    links: [SIGN_IN],
  });
}

const RESET_LABELS = { password: 'Contraseña nueva', revokeKeys: 'Revocar también mis claves de API' };

export function resetPasswordPage(form: FormState): AccountPage {
  const fields = fieldSet(form, RESET_LABELS);
  return accountCard('Elija otra contraseña', {
    lead: 'Al guardarla se cierran todas sus sesiones abiertas.',
    body: html`<form class="form" method="post" action="/reset-password" novalidate data-once>
      ${errorSummary({ form, labels: RESET_LABELS })} ${fields.hidden('token')} ${fields.text('password', PASSWORD)}
      ${fields.check('revokeKeys', { hint: 'Márquelo si alguien más pudo entrar a su cuenta.' })}
      <button type="submit" class="button button-main button-wide">Guardar la contraseña</button>
    </form>`,
    links: [SIGN_IN],
  });
}

export function verifyEmailPage(form: FormState): AccountPage {
  const fields = fieldSet(form, {});
  return accountCard('Confirme su correo', {
    lead: 'Un paso más: confirme que esta dirección es suya.',
    body: html`<form class="form" method="post" action="/verify-email" data-once>
      ${errorSummary({ form, labels: {} })} ${fields.hidden('token')}
      <button type="submit" class="button button-main button-wide">Confirmar mi correo</button>
    </form>`,
  });
}

/** For a signed-in user whose address is not confirmed, without a link. */
export const resendPage = (email: string): AccountPage =>
  accountCard('Confirme su correo', {
    lead: html`Enviamos un enlace a <strong>${email}</strong>. Ábralo para terminar; vale un día. Si no llegó, busque en
      correo no deseado o pida otro.`,
    body: html`<div class="form">
      ${actionForm({ action: '/verify-email/resend', submit: 'Enviar el enlace otra vez', style: 'button-main' })}
    </div>`,
    links: [link('/app', 'Ir al inicio')],
  });

export type LinkKind = 'invitation' | 'reset' | 'verification';

const DEAD_TITLE = 'Este enlace ya no sirve';

/** A link that is unknown, incomplete, used, expired, replaced by a newer one or meant for another page. */
export const DEAD_LINKS: Readonly<Record<LinkKind, AccountPage>> = {
  invitation: accountCard(DEAD_TITLE, {
    lead: 'Ya se usó, pasaron sus siete días o hay otro más reciente en su correo. Si todavía no entra, pida otro con su dirección, o pida a quien le invitó que lo envíe de nuevo.',
    links: [link('/forgot-password', 'Pedir otro enlace'), SIGN_IN],
  }),
  reset: accountCard(DEAD_TITLE, {
    lead: 'Ya se usó, pasó su hora o hay otro más reciente en su correo. Su contraseña sigue como estaba.',
    links: [link('/forgot-password', 'Pedir otro enlace'), SIGN_IN],
  }),
  verification: accountCard(DEAD_TITLE, {
    lead: 'Ya se usó, pasó su día o hay otro más reciente en su correo. Si aún no confirma su dirección, inicie sesión y pida otro enlace.',
    links: [link('/verify-email/resend', 'Pedir otro enlace'), FORGOTTEN],
  }),
};
