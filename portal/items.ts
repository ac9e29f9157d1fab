import { formatAmount, formatPercent, formatPercentPoints, formatQuantity } from '../domain/format.ts';
import { type Html, html } from '../domain/html.ts';
import { Decimal } from '../domain/money.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';

/**
 * The lines as a table; on a phone each row becomes a card. Roles are explicit, because browsers drop the implicit
 * ones of a table with another layout.
 */
export function itemsTable({ lines, currency }: QuoteDrawing): Html {
  const discounted = lines.some(({ discountPct }) => !new Decimal(discountPct).isZero());
  const heading = (label: string, kind = '') => html`<th role="columnheader" scope="col" class="${kind}">${label}</th>`;
  const rows = lines.map(
    (line) =>
      html`<tr role="row">
        <th role="rowheader" scope="row" class="item-name">
          <bdi>${line.productName}</bdi>${line.model ? html`<span class="item-model">${line.model}</span>` : null}
        </th>
        <td role="cell" class="num item-quantity">${formatQuantity(line.quantity)}</td>
        <td role="cell" class="num">${formatAmount(line.unitPrice, currency)}</td>
        ${discounted ? discountCell(line.discountPct) : null}
        <td role="cell" class="num item-amount">${formatAmount(line.amount, currency)}</td>
      </tr>`,
  );
  return html`<table class="items" role="table">
    <caption class="visually-hidden">
      Conceptos de la cotización, importes en ${currency}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heading('Concepto')}${heading('Cantidad', 'num')}${heading('Precio unitario', 'num')}${
          discounted ? heading('Descuento', 'num') : null
        }${heading('Importe', 'num')}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows}
    </tbody>
  </table>`;
}

const discountCell = (percent: string): Html =>
  new Decimal(percent).isZero()
    ? html`<td role="cell" class="num item-discount none">—</td>`
    : html`<td role="cell" class="num item-discount">${formatPercentPoints(percent)}</td>`;

/** Subtotal, tax with its rate, shipping and total. */
export function totals({ subtotal, taxRate, tax, shippingCost, total, currency }: QuoteDrawing): Html {
  const row = (name: string, value: string | Html, kind = '') =>
    html`<div class="total-row ${kind}">
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="totals">
    ${row('Subtotal', formatAmount(subtotal, currency))}${row(`IVA (${formatPercent(taxRate)})`, formatAmount(tax, currency))}${
      new Decimal(shippingCost).isZero() ? null : row('Envío', formatAmount(shippingCost, currency))
    }${row('Total', withCode(total, currency), `grand ${sizeOf(total)}`)}
  </dl>`;
}

/** The class of a total: figures do not wrap, so long ones get a smaller font. */
export const sizeOf = (total: string): string => (total.length > 10 ? 'long' : '');

/** A total: the figure wraps only if it does not fit at all; its currency may wrap below it. */
export const withCode = (decimal: string, currency: string): Html =>
  html`<span class="figure">${formatAmount(decimal, currency)}</span> <span class="code">${currency}</span>`;
