import { type Html, html } from '../../domain/html.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';

/** The forms of the second factor. Each is a state of the page. */

const LABELS = {
  password: 'Su contraseña',
  code: 'Código de 6 dígitos',
  recoveryCode: 'O un código de recuperación',
};
const TITLE = 'Verificación en dos pasos';
const PATH = '/app/account/two-factor';

type Shown = { readonly title: string; readonly body: Html };

const password = (form: FormState): Html =>
  fieldSet(form, LABELS).text('password', {
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
    maxlength: 128,
  });
const code = (form: FormState, isRequired = true): Html =>
  fieldSet(form, LABELS).text('code', {
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    isRequired,
    maxlength: 20,
    isShort: true,
  });

/** The first step: the password. */
export const setUpPage = (form: FormState): Shown => ({
  title: TITLE,
  body: html`${heading(TITLE, {
    lead: 'Necesita una aplicación de códigos en su teléfono, como Google Authenticator, Microsoft Authenticator o 1Password.',
  })}
  ${formElement({
    form,
    action: `${PATH}/setup`,
    labels: LABELS,
    submit: 'Continuar',
    cancel: '/app/account',
    body: html`<div class="card">${password(form)}</div>`,
  })}`,
});

interface EnableView {
  readonly form: FormState;
  /** In base 32. */
  readonly secret: string;
  readonly otpauthUrl: string;
  /** The QR code of the URL: rows of dark and light modules. */
  readonly modules: readonly (readonly boolean[])[];
}

/** The second step: the application reads the secret, and a code proves it. */
export function enablePage({ form, secret, otpauthUrl, modules }: EnableView): Shown {
  const body = html`${heading(TITLE)}
  ${formElement({
    form,
    action: `${PATH}/enable`,
    labels: LABELS,
    submit: 'Activar',
    cancel: '/app/account',
    body: html`<div class="card">
        <h2>1. Escanee el código</h2>
        <p class="soft">Ábralo con su aplicación de códigos.</p>
        ${qrCode(modules)}
        <p>
          ¿No puede escanearlo? Escriba esta clave en la aplicación:
          <code class="code">${secret.match(/.{1,4}/g)?.join(' ') ?? secret}</code>
        </p>
        <p><a href="${otpauthUrl}">Abrir en la aplicación de este dispositivo</a></p>
        <input type="hidden" name="secret" value="${secret}" />
        <input type="hidden" name="otpauthUrl" value="${otpauthUrl}" />
      </div>
      <div class="card">
        <h2>2. Escriba el código que muestra</h2>
        ${code(form)} ${password(form)}
      </div>`,
  })}`;
  return { title: TITLE, body };
}

/** Four light modules around the code, as ISO/IEC 18004 asks. */
const QUIET = 4;

function qrCode(modules: EnableView['modules']): Html {
  const size = modules.length + 2 * QUIET;
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="Código QR de su clave">
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`;
}

/** The recovery codes, which are shown only once. */
export function recoveryCodesPage(codes: readonly string[]): Shown {
  const title = 'Códigos de recuperación';
  const body = html`${heading(title, { lead: 'La verificación en dos pasos está activa.' })}
    <div class="card">
      <p>
        Guarde estos códigos fuera de su teléfono: si lo pierde, cada uno sirve una vez para entrar. No se vuelven a
        mostrar.
      </p>
      <ul class="codes">
        ${codes.map((each) => html`<li><code class="code">${each}</code></li>`)}
      </ul>
      <div class="form-actions"><a class="button button-main" href="/app/account">Ya los guardé</a></div>
    </div>`;
  return { title, body };
}

/** For an active second factor: what can be done with it. */
export function manageFactorPage(recoveryCodesLeft: number): Shown {
  const body = html`${heading(TITLE, { lead: 'Está activa: al entrar se pide además un código de su teléfono.' })}
    <div class="card">
      <h2>Códigos de recuperación</h2>
      <p class="soft">Le quedan ${recoveryCodesLeft} de 10. Al renovarlos, los anteriores dejan de valer.</p>
      <div class="actions"><a class="button button-plain" href="${PATH}/recovery-codes">Renovar los códigos</a></div>
    </div>
    <div class="card">
      <h2>Desactivar</h2>
      <p class="soft">Después basta su contraseña para entrar. Recibe un aviso por correo.</p>
      <div class="actions"><a class="button button-plain" href="${PATH}/disable">Desactivar la verificación</a></div>
    </div>`;
  return { title: TITLE, body };
}

/** The form that replaces the recovery codes. */
export function renewCodesPage(form: FormState): Shown {
  const title = 'Renovar los códigos de recuperación';
  const body = html`${heading(title)}
  ${formElement({
    form,
    action: `${PATH}/recovery-codes`,
    labels: LABELS,
    submit: 'Renovar los códigos',
    cancel: PATH,
    body: html`<div class="card">${code(form)} ${password(form)}</div>`,
  })}`;
  return { title, body };
}

/** The form that ends the second factor. */
export function disableFactorPage(form: FormState): Shown {
  const title = 'Desactivar la verificación en dos pasos';
  const body = html`${heading(title)}
  ${formElement({
    form,
    action: `${PATH}/disable`,
    labels: LABELS,
    submit: 'Desactivar',
    cancel: PATH,
    isDangerous: true,
    body: html`<div class="card">
      ${code(form, false)} ${fieldSet(form, LABELS).text('recoveryCode', { maxlength: 40 })} ${password(form)}
    </div>`,
  })}`;
  return { title, body };
}
