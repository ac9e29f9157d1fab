import { type Html, html } from '../../../domain/html.ts';
import { lineAmount } from './lines.ts';
import type { TotalsView } from './view.ts';

/** The totals as the client reads them. */
export function totalsBox({ sums, total, deposit, problem }: TotalsView): Html {
  return html`<div id="totales" aria-live="polite">
    ${
      problem === undefined
        ? html`<dl class="sums">
            ${sums.map(([label, amount]) => row(label, amount))}${row('Total', total, 'sum-total')}
            ${deposit.map((text, index) => row(index === 0 ? 'Anticipo' : '', text))}
          </dl>`
        : html`<p class="soft">${problem}</p>`
    }
  </div>`;
}

const row = (label: string, amount: string, kind = ''): Html =>
  html`<div class="${kind}">
    <dt>${label}</dt>
    <dd>${amount}</dd>
  </div>`;

/** The totals, and the amounts of the lines on the page, which htmx puts in their places. */
export const totalsPage = (totals: TotalsView, rows: readonly number[]) => ({
  title: 'Totales',
  body: html`<h1>Totales</h1>
    ${totalsBox(totals)}
    <div>${rows.map((index) => lineAmount(totals, index, true))}</div>`,
});
