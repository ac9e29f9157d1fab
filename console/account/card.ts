import { type Html, html } from '../../domain/html.ts';

export interface AccountPage {
  readonly title: string;
  readonly body: Html;
}

/** The one card of a page without navigation. */
export function accountCard(
  title: string,
  { lead, body, links = [] }: { lead?: string | Html; body?: Html; links?: readonly Html[] },
): AccountPage {
  return {
    title,
    body: html`<div class="account-card">
      <h1>${title}</h1>
      ${lead === undefined ? null : html`<p class="lead">${lead}</p>`}${body ?? null}
      ${links.length === 0 ? null : html`<p class="account-links">${links}</p>`}
    </div>`,
  };
}

export const link = (href: string, text: string): Html => html`<a href="${href}">${text}</a>`;
export const SIGN_IN = link('/login', 'Iniciar sesión');
export const FORGOTTEN = link('/forgot-password', '¿Olvidó su contraseña?');
