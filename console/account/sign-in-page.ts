import { type Html, html } from '../../domain/html.ts';
import type { Fields, FormState } from '../forms/form-state.ts';
import { fieldSet, type Labels } from '../forms/fields.ts';
import { errorSummary } from '../forms/form.ts';

interface SignInView {
  readonly form: FormState;
  /** Where a sign-in leads. */
  readonly next: string | undefined;
  /** What was submitted without a session. */
  readonly carried: { readonly path: string; readonly fields: Fields } | undefined;
  /** The session ended while a form was open. */
  readonly isExpired?: boolean;
  readonly canRegister: boolean;
}

const LABELS: Labels = {
  email: 'Correo electrónico',
  password: 'Contraseña',
  code: 'Código de 6 dígitos',
  recoveryCode: 'Código de recuperación',
};

/** The first step: address and password. */
export function signInPage(view: SignInView): { readonly title: string; readonly body: Html } {
  const fields = fieldSet(view.form, LABELS);
  const title = view.isExpired ? 'Su sesión terminó' : 'Iniciar sesión';
  const body = html`<div class="account-card">
    <h1>${title}</h1>
    ${
      view.isExpired
        ? html`<p class="lead">Inicie sesión para continuar. Lo que escribió se conserva; no lo pierde al entrar.</p>`
        : null
    }
    <form class="form" method="post" action="/login" novalidate data-once>
      ${errorSummary({ form: view.form, labels: LABELS })} ${hiddenParts(view)}
      ${fields.text('email', { type: 'email', autocomplete: 'username', isRequired: true, inputmode: 'email', maxlength: 254 })}
      ${fields.text('password', { type: 'password', autocomplete: 'current-password', isRequired: true, maxlength: 128 })}
      <button type="submit" class="button button-main button-wide">Iniciar sesión</button>
    </form>
    <p class="account-links">
      <a href="/forgot-password">¿Olvidó su contraseña?</a>
      ${view.canRegister ? html`<a href="/register">Crear una cuenta</a>` : null}
    </p>
  </div>`;
  return { title, body };
}

interface SecondStepView extends SignInView {
  /** Address and password, sealed. */
  readonly pending: string;
  readonly isRecovery: boolean;
}

/** The second step: a code of the application, or a recovery code. */
export function secondStepPage(view: SecondStepView): { readonly title: string; readonly body: Html } {
  const fields = fieldSet(view.form, LABELS);
  const title = 'Verificación en dos pasos';
  const body = html`<div class="account-card">
    <h1>${title}</h1>
    <p class="lead">
      ${
        view.isRecovery
          ? 'Escriba uno de los códigos de recuperación que guardó. Cada uno sirve una sola vez.'
          : 'Escriba el código que muestra su aplicación de autenticación.'
      }
    </p>
    <form class="form" method="post" action="/login" novalidate data-once>
      ${errorSummary({ form: view.form, labels: LABELS })} ${hiddenParts(view)}
      <input type="hidden" name="pending" value="${view.pending}" />
      ${
        view.isRecovery
          ? fields.text('recoveryCode', { isRequired: true, maxlength: 40, isFocused: true })
          : fields.text('code', {
              inputmode: 'numeric',
              autocomplete: 'one-time-code',
              isRequired: true,
              maxlength: 20,
              isFocused: true,
            })
      }
      <button type="submit" class="button button-main button-wide">Verificar</button>
      <button
        type="submit"
        class="button button-quiet button-wide"
        name="step"
        value="${view.isRecovery ? 'code' : 'recovery'}"
      >
        ${view.isRecovery ? 'Usar un código de la aplicación' : 'Usar un código de recuperación'}
      </button>
    </form>
    <p class="account-links"><a href="/login">Entrar con otra cuenta</a></p>
  </div>`;
  return { title, body };
}

/** After the sign-in: sends on what was submitted without a session. */
export function carriedPage({ path, fields }: NonNullable<SignInView['carried']>): {
  readonly title: string;
  readonly body: Html;
} {
  const title = 'Su sesión había terminado; nada se ha perdido';
  const body = html`<div class="account-card">
    <h1>${title}</h1>
    <p class="lead">Ya inició sesión. Envíe ahora lo que había escrito.</p>
    <form class="form" method="post" action="${path}" data-once>
      ${hiddenFields(fields, '')}
      <button type="submit" class="button button-main button-wide">Enviar lo que había escrito</button>
    </form>
    <p class="account-links"><a href="/app">Descartarlo e ir al inicio</a></p>
  </div>`;
  return { title, body };
}

const hiddenParts = ({ next, carried }: SignInView): Html =>
  html`${next === undefined ? null : html`<input type="hidden" name="next" value="${next}" />`}${
    carried === undefined
      ? null
      : html`<input
            type="hidden"
            name="carriedTo"
            value="${carried.path}"
          />${hiddenFields(carried.fields, 'carried.')}`
  }`;

const hiddenFields = (fields: Fields, prefix: string): readonly Html[] =>
  [...fields].flatMap(([name, values]) =>
    values.map((value) => html`<textarea hidden name="${prefix}${name}">${value}</textarea>`),
  );
