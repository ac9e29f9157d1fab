import { type Html, html } from '../../domain/html.ts';
import { displayNumberOf } from '../../domain/quote-number.ts';
import { fieldSet, type Option } from '../forms/fields.ts';
import { settingsForm, settingsPage } from './frame.ts';
import type { SettingsView } from './settings-view.ts';

const LABELS = {
  numberFormat: 'Formato del número',
  nextQuoteNumber: 'Saltar al número',
  quoteValidityDays: 'Vigencia en días',
  currency: 'Moneda',
  defaultNotes: 'Notas',
  defaultTerms: 'Condiciones',
};

/** The members of the settings that this page changes; the next number only when one is typed. */
export const NUMBERING_MEMBERS = [
  'numberFormat',
  'quoteValidityDays',
  'currency',
  'defaultNotes',
  'defaultTerms',
] as const;

const names = new Intl.DisplayNames(['es-MX'], { type: 'currency' });
const CURRENCIES: readonly Option[] = Intl.supportedValuesOf('currency').map((value) => ({
  value,
  label: `${value} · ${names.of(value) ?? value}`,
}));

/** How quotes are numbered, and what a new one starts with. */
export function numberingPage(view: SettingsView & { readonly now: Date }): {
  readonly title: string;
  readonly body: Html;
} {
  const { settings, form, now } = view;
  const { nextQuoteNumber, numberFormat, timeZone } = settings;
  const fields = fieldSet(form, LABELS);
  const next = displayNumberOf(numberFormat, { quoteNumber: nextQuoteNumber, createdAt: now, timeZone });
  const body = html`<div class="card">
      <h2>Numeración</h2>
      <p class="next-number">La próxima cotización será la <strong>${next}</strong></p>
      <div class="grid">
        ${fields.text('numberFormat', {
          isRequired: true,
          maxlength: 40,
          hint: html`<code>{number}</code> es el número; <code>{number:4}</code> lo escribe con ceros: 0012. También
            puede usar <code>{year}</code>, <code>{yy}</code> y <code>{month}</code>.`,
        })}
        ${fields.text('nextQuoteNumber', {
          isShort: true,
          inputmode: 'numeric',
          hint: `Solo si quiere dejar un hueco: mayor o igual que ${nextQuoteNumber}. No se puede regresar.`,
        })}
      </div>
    </div>
    <div class="card">
      <h2>Con qué empieza cada cotización</h2>
      <div class="grid">
        ${fields.text('quoteValidityDays', {
          isRequired: true,
          isShort: true,
          inputmode: 'numeric',
          hint: 'De 1 a 365 días, hasta el final del último.',
        })}
        ${fields.select('currency', CURRENCIES, { isRequired: true })}
      </div>
      ${fields.area('defaultNotes', { rows: 2, maxlength: 300, hint: 'Se usan si la cotización no trae las suyas.' })}
      ${fields.area('defaultTerms', { rows: 5, hint: 'Anticipo, entrega, garantía: lo que vale para todas.' })}
    </div>`;
  return settingsPage(
    'numbering',
    'Lo que llevan las cotizaciones nuevas. En cada una puede cambiarlo.',
    settingsForm('numbering', view, LABELS, body),
  );
}
