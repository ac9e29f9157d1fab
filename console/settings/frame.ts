import { type Html, html } from '../../domain/html.ts';
import type { Labels } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import { heading } from '../layout.ts';
import type { SettingsView } from './settings-view.ts';

/** The pages of the settings, each with its tab. */
export const SETTINGS_TABS = {
  business: 'Negocio',
  taxes: 'Impuestos',
  numbering: 'Cotizaciones',
  branding: 'Documentos',
  email: 'Correo y avisos',
} as const;
export type SettingsTab = keyof typeof SETTINGS_TABS;

export const settingsPath = (tab: SettingsTab): string => `/app/settings/${tab}`;

/** A page of the settings below its tabs. */
export function settingsPage(
  tab: SettingsTab,
  lead: string,
  body: Html,
): { readonly title: string; readonly body: Html } {
  return {
    title: `${SETTINGS_TABS[tab]} · Ajustes`,
    body: html`${heading('Ajustes', { lead })}
      <nav class="tabs" aria-label="Ajustes">
        <ul>
          ${Object.entries(SETTINGS_TABS).map(
            ([name, label]) =>
              html`<li>
                <a href="/app/settings/${name}" ${name === tab ? html`aria-current="page"` : null}>${label}</a>
              </li>`,
          )}
        </ul>
      </nav>
      <div class="settings">${body}</div>`,
  };
}

/** The form of a tab; it posts to the tab's own address. */
export const settingsForm = (tab: SettingsTab, { form }: SettingsView, labels: Labels, body: Html): Html =>
  formElement({ form, action: settingsPath(tab), labels, submit: 'Guardar', current: settingsPath(tab), body });
