import { type Html, html } from '../../domain/html.ts';
import { hasFeature } from '../../domain/plans.ts';
import { warningsOf } from '../../domain/warnings.ts';
import { COUNTRIES } from '../countries.ts';
import { fieldSet, type Option } from '../forms/fields.ts';
import { valueOf } from '../forms/form-state.ts';
import { LANGUAGES } from '../languages.ts';
import { settingsForm, settingsPage } from './frame.ts';
import type { SettingsView } from './settings-view.ts';

const LABELS = {
  companyName: 'Nombre del negocio',
  legalName: 'Razón social',
  taxId: 'Clave fiscal',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  address: 'Dirección',
  country: 'País',
  timeZone: 'Zona horaria',
  locale: 'Idioma de sus clientes',
  'bankInfo.bankName': 'Banco',
  'bankInfo.clabe': 'Cuenta',
  'bankInfo.beneficiary': 'A nombre de',
};

/** The members of the settings that this page changes. */
export const BUSINESS_MEMBERS = [
  'companyName',
  'legalName',
  'taxId',
  'email',
  'phone',
  'address',
  'country',
  'timeZone',
  'locale',
  'bankInfo',
] as const;

const ZONES = Intl.supportedValuesOf('timeZone');

/** An older name that the business has stays among the choices. */
const zonesWith = (current: string): readonly Option[] =>
  (ZONES.includes(current) ? ZONES : [current, ...ZONES]).map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));

/** Who the business is, where it is, and where clients pay. */
export function businessPage(view: SettingsView): { readonly title: string; readonly body: Html } {
  const { settings, form, plan } = view;
  const isMexican = valueOf(form, 'country') === 'MX';
  const labels = {
    ...LABELS,
    ...(isMexican && { taxId: 'RFC', 'bankInfo.clabe': 'CLABE' }),
  };
  const fields = fieldSet(form, labels);
  const doubts = new Map(
    warningsOf({ taxId: settings.taxId, clabe: settings.bankInfo?.clabe }, settings.country).map(
      ({ path, message }) => [path, message],
    ),
  );
  const doubt = (name: string): { readonly hint?: Html } => {
    const message = doubts.get(name);
    return message === undefined ? {} : { hint: html`<span class="doubt">Se guardó así, pero ${message}.</span>` };
  };
  const body = html`<div class="card">
      <h2>Quién cotiza</h2>
      <div class="grid">
        ${fields.text('companyName', { isRequired: true, maxlength: 200, autocomplete: 'organization' })}
        ${fields.text('legalName', { maxlength: 200, hint: 'Si no es la misma que el nombre.' })}
        ${fields.text('taxId', { maxlength: 40, ...doubt('taxId') })}
        ${fields.text('email', {
          isRequired: true,
          type: 'email',
          hint: 'En cada documento, y a donde llegan las respuestas de sus clientes.',
        })}
        ${fields.text('phone', { type: 'tel', maxlength: 40, autocomplete: 'tel' })}
      </div>
      ${fields.area('address', { rows: 2, maxlength: 500 })}
    </div>
    <div class="card">
      <h2>Región</h2>
      <div class="grid">
        ${fields.select('country', COUNTRIES, {
          isRequired: true,
          hint: 'De él dependen el papel, los impuestos y cómo se revisa la clave fiscal.',
        })}
        ${fields.select('timeZone', zonesWith(valueOf(form, 'timeZone')), {
          isRequired: true,
          hint: 'Con ella se cuentan la vigencia y los periodos.',
        })}
        ${fields.select('locale', LANGUAGES, {
          isRequired: true,
          hint: 'De documentos, correos y páginas. Cada cliente puede tener el suyo.',
        })}
      </div>
    </div>
    <div class="card">
      <h2>Dónde le pagan</h2>
      <p class="soft">
        ${hasFeature(plan, 'pdf_branding') ? 'Aparece al pie de sus documentos.' : 'Se guarda ahora y aparece al pie de sus documentos cuando tenga el plan PRO.'}
      </p>
      <div class="grid">
        ${fields.text('bankInfo.bankName', { maxlength: 100 })}
        ${fields.text('bankInfo.clabe', { inputmode: 'numeric', maxlength: 34, ...doubt('bankInfo.clabe') })}
        ${fields.text('bankInfo.beneficiary', { maxlength: 200 })}
      </div>
    </div>`;
  return settingsPage(
    'business',
    'Lo que sus clientes leen de usted. Las cotizaciones que ya existen no cambian.',
    settingsForm('business', view, labels, body),
  );
}
