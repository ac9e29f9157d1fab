import { MAX_FOLLOW_UP_DAYS, MAX_FOLLOW_UPS } from '../../domain/follow-ups.ts';
import { type Html, html } from '../../domain/html.ts';
import { hasFeature } from '../../domain/plans.ts';
import { fieldSet } from '../forms/fields.ts';
import { settingsForm, settingsPage, settingsPath } from './frame.ts';
import type { SettingsView } from './settings-view.ts';

const LABELS = {
  notifyOnAnswer: 'Avisarnos por correo cuando un cliente responde',
  reminderDaysBefore: 'Días antes de vencer',
  followUpDays: 'Seguimientos',
  'followUpDays.0': 'Primer correo: días después',
  'followUpDays.1': 'Segundo correo: días después',
  'followUpDays.2': 'Tercer correo: días después',
};

/** The members of the settings that this page changes. */
export const EMAIL_MEMBERS = ['notifyOnAnswer', 'reminderDaysBefore', 'followUpDays'] as const;

/** Who sends the mails, and which ones leave by themselves. */
export function emailPage(view: SettingsView): { readonly title: string; readonly body: Html } {
  const { settings, form, plan } = view;
  const fields = fieldSet(form, LABELS);
  const isPro = hasFeature(plan, 'automations');
  const followUpError = form.errors.get('followUpDays');
  const body = html`<div class="card">
      <h2>Recordatorio de vigencia</h2>
      <p class="soft">Si el cliente no ha respondido, recibe un recordatorio antes de que la cotización venza.</p>
      ${fields.text('reminderDaysBefore', {
        isRequired: true,
        isShort: true,
        inputmode: 'numeric',
        hint: 'De 1 a 30.',
      })}
    </div>
    <div class="card">
      <h2>Seguimientos ${isPro ? null : html`<span class="pro">PRO</span>`}</h2>
      <p class="soft" id="seguimientos">
        Hasta ${MAX_FOLLOW_UPS} correos al cliente que no ha respondido, a las 10:00 de su zona horaria. Cuentan desde
        el último envío, de 1 a ${MAX_FOLLOW_UP_DAYS} días, en orden. Deje vacíos los que no quiera.
        ${isPro ? null : 'En FREE los días se guardan, pero los correos salen solo con el plan PRO.'}
      </p>
      <input type="hidden" name="followUpDays" value="" />
      ${followUpError === undefined ? null : html`<p class="error" id="followUpDays" tabindex="-1">${followUpError}</p>`}
      <div class="days">
        ${Array.from({ length: MAX_FOLLOW_UPS }, (_, index) =>
          fields.text(`followUpDays.${index}`, { isShort: true, inputmode: 'numeric', isOptionalHidden: true }),
        )}
      </div>
    </div>
    <div class="card">
      <h2>Avisos a su equipo</h2>
      ${fields.check('notifyOnAnswer', {
        hint: 'Lo reciben quien hizo la cotización y los dueños. En la aplicación se avisa siempre.',
      })}
    </div>`;
  return settingsPage(
    'email',
    'Lo que el servicio envía por usted.',
    html`<section class="card" aria-labelledby="remitente">
        <h2 id="remitente">Remitente</h2>
        <dl class="facts">
          <div>
            <dt>Nombre que ve su cliente</dt>
            <dd>${settings.companyName}</dd>
          </div>
          <div>
            <dt>Las respuestas llegan a</dt>
            <dd>${settings.email ?? 'A quien la envía'}</dd>
          </div>
        </dl>
        <p class="hint">
          Se cambian en <a href="${settingsPath('business')}">Negocio</a>. La dirección desde la que sale el correo es
          la del servicio.
        </p>
      </section>
      ${settingsForm('email', view, LABELS, body)}`,
  );
}
