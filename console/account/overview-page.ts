import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { confirmed } from '../confirm.ts';
import { moment } from '../figures.ts';
import { actionForm } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import type { Visitor } from '../navigation.ts';
import { ROLE_NAMES } from '../team/list-page.ts';
import { table } from '../tables.ts';

export interface OpenSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly isCurrent: boolean;
}

interface AccountView {
  readonly visitor: Visitor;
  readonly sessions: readonly OpenSession[];
  readonly twoFactor: { readonly enabled: boolean; readonly recoveryCodesLeft: number };
  readonly form: FormState;
  readonly timeZone: TimeZone;
}

const FEW_CODES = 3;

/** The user's own account: password, second factor, sessions. */
export function accountPage(view: AccountView): { readonly title: string; readonly body: Html } {
  const { visitor } = view;
  const title = 'Su cuenta';
  const body = html`${heading(title, { lead: `${visitor.name} · ${visitor.email} · ${ROLE_NAMES[visitor.role]}` })}
    ${visitor.isVerified ? null : unverified}
    <section class="card" aria-labelledby="contrasena">
      <h2 id="contrasena">Contraseña</h2>
      <p class="soft">Al cambiarla se cierran las demás sesiones y recibe un aviso por correo.</p>
      <div class="actions"><a class="button button-plain" href="/app/account/password">Cambiar la contraseña</a></div>
    </section>
    ${factor(view)} ${sessionsOf(view)}`;
  return { title, body };
}

const unverified = html`<section class="notice notice-warn">
  <h2>Confirme su correo electrónico</h2>
  <p>Hasta entonces no puede enviar cotizaciones, invitar ni crear claves.</p>
  <form method="post" action="/verify-email/resend">
    <button class="button button-plain" type="submit">Enviar el enlace otra vez</button>
  </form>
</section>`;

function factor({ twoFactor: { enabled, recoveryCodesLeft } }: AccountView): Html {
  return html`<section class="card" aria-labelledby="dos-pasos">
    <h2 id="dos-pasos">
      Verificación en dos pasos
      ${enabled ? html`<span class="chip chip-good">Activa</span>` : html`<span class="chip chip-warn">Inactiva</span>`}
    </h2>
    <p class="soft">
      ${
        enabled
          ? `Al entrar se pide además un código de su teléfono. Le quedan ${recoveryCodesLeft} códigos de recuperación.`
          : 'Con ella, quien conozca su contraseña no puede entrar sin su teléfono.'
      }
    </p>
    ${enabled && recoveryCodesLeft <= FEW_CODES ? html`<p>Renueve los códigos antes de que se terminen.</p>` : null}
    <div class="actions">
      <a class="button ${enabled ? 'button-plain' : 'button-main'}" href="/app/account/two-factor"
        >${enabled ? 'Administrar' : 'Activar'}</a
      >
    </div>
  </section>`;
}

const sessionsOf = ({ sessions, form, timeZone }: AccountView): Html =>
  html`<section class="card" aria-labelledby="sesiones">
    <h2 id="sesiones">Sesiones abiertas</h2>
    <p class="soft">Si no reconoce alguna, ciérrela y cambie su contraseña.</p>
    ${table(
      'Sesiones abiertas',
      [{ label: 'Dispositivo' }, { label: 'Última actividad' }, { label: 'Dirección IP' }, { label: 'Acciones' }],
      sessions.map(({ id, userAgent, createdAt, lastSeenAt, ip, isCurrent }) => ({
        cells: [
          html`${deviceOf(userAgent)} ${isCurrent ? html`<span class="chip chip-good">Esta</span>` : null}<span
              class="sub"
              >Desde el ${moment(createdAt, timeZone)}</span
            >`,
          moment(lastSeenAt, timeZone),
          ip ?? 'Desconocida',
          isCurrent
            ? ''
            : actionForm({ form, action: `/app/account/sessions/${id}/end`, submit: 'Cerrar', style: 'button-quiet' }),
        ],
      })),
    )}
    ${confirmed({
      form,
      action: '/app/account/sessions/end-all',
      label: 'Cerrar todas',
      text: 'También termina esta sesión: tendrá que entrar otra vez. Las claves de API siguen valiendo.',
      submit: 'Cerrar todas las sesiones',
    })}
  </section>`;

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Chrome en Windows", as far as the header says; else what it says. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Dispositivo desconocido';
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} en ${system}`;
}
