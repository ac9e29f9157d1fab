import { type Html, html } from '../../domain/html.ts';
import { MAX_TAXES, TAX_KINDS, type TaxKind } from '../../domain/taxes.ts';
import { confirmed } from '../confirm.ts';
import { fieldSet } from '../forms/fields.ts';
import { rowCount } from '../forms/form-state.ts';
import { settingsForm, settingsPage, settingsPath } from './frame.ts';
import type { SettingsView } from './settings-view.ts';

const LABELS = {
  taxRate: 'Tasa general en %',
  taxes: 'Impuestos',
  'taxes.*.code': 'Clave',
  'taxes.*.name': 'Nombre',
  'taxes.*.rate': 'Tasa en %',
  'taxes.*.kind': 'Tipo',
  'taxes.*.remove': 'Quitar',
};

const KINDS: Readonly<Record<TaxKind, string>> = {
  transfer: 'Se suma',
  withholding: 'Se retiene',
  exempt: 'Exento',
};
const KIND_OPTIONS = TAX_KINDS.map((value) => ({ value, label: KINDS[value] }));

/** Empty rows below the table; saving gives new ones. */
const SPARE_ROWS = 3;

/** The general rate, and the table of taxes that lines can name. */
export function taxesPage(view: SettingsView): { readonly title: string; readonly body: Html } {
  const { form, settings } = view;
  const fields = fieldSet(form, LABELS);
  const used = rowCount(form, 'taxes');
  const rows = Array.from({ length: Math.max(used, Math.min(used + SPARE_ROWS, MAX_TAXES)) }, (_, row) => row);
  const body = html`<div class="card">
      <h2>Tasa general</h2>
      ${fields.text('taxRate', {
        isShort: true,
        inputmode: 'decimal',
        hint: 'Para partidas que no nombran impuestos. Vacía: 16 %. Escriba 0 para no cobrar ninguno.',
      })}
    </div>
    <div class="card">
      <h2>Tabla de impuestos</h2>
      <p class="soft">
        En cada partida de una cotización elige de esta tabla. La clave va en mayúsculas, sin espacios: IVA16. Las
        cotizaciones que ya existen conservan los suyos.
      </p>
      <input type="hidden" name="taxes" value="" />
      <div class="tax-rows">
        ${rows.map((row) => {
          const name = `taxes.${row}`;
          const common = { isOptionalHidden: true } as const;
          return html`<div class="tax-row" role="group" aria-label="Impuesto ${row + 1}">
            ${fields.text(`${name}.code`, { ...common, maxlength: 20 })}
            ${fields.text(`${name}.name`, { ...common, maxlength: 40 })}
            ${fields.text(`${name}.rate`, { ...common, inputmode: 'decimal' })}
            ${fields.select(`${name}.kind`, KIND_OPTIONS, common)}
            ${row < used ? fields.check(`${name}.remove`) : html`<p class="hint">Fila nueva</p>`}
          </div>`;
        })}
      </div>
    </div>`;
  return settingsPage(
    'taxes',
    'Con qué impuestos calcula sus cotizaciones.',
    html`${settingsForm('taxes', view, LABELS, body)}
    ${confirmed({
      form,
      action: `${settingsPath('taxes')}/reset`,
      label: 'Volver a la tabla del país',
      text:
        settings.country === 'MX'
          ? 'Reemplaza la tabla por los impuestos de México: IVA 16, 8 y 0 %, exento, y retenciones de ISR e IVA.'
          : 'Para su país no hay impuestos preparados: la tabla queda vacía.',
      submit: 'Reemplazar la tabla',
    })}`,
  );
}
