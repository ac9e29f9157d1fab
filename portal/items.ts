import { formatAmount, formatPercentPoints } from '../domain/format.ts';
import { type Html, html } from '../domain/html.ts';
import type { Locale } from '../domain/locale.ts';
import { Decimal } from '../domain/money.ts';
import { textsOf } from '../domain/texts/texts.ts';
import type { LineOfDrawing, QuoteDrawing } from '../domain/quote-drawing.ts';
import { optionName } from './selection.ts';
import type { QuoteView } from './view.ts';
import { choiceText, depositTexts, quantityText, sectionsOf, sumRows } from '../domain/quote-sums.ts';

/**
 * The lines as a table; on a phone each row becomes a card. Roles are explicit, because browsers drop the implicit
 * ones of a table with another layout.
 */
export function itemsTable(view: QuoteView): Html {
  const { drawing } = view;
  const { lines, currency, locale } = drawing;
  const { quote, page } = textsOf(locale);
  const discounted = lines.some(({ discountPct }) => !new Decimal(discountPct).isZero());
  const heading = (label: string, kind = '') => html`<th role="columnheader" scope="col" class="${kind}">${label}</th>`;
  const sections = sectionsOf(drawing);
  const columns = discounted ? 5 : 4;
  const rows = lines.map(
    (line, index) =>
      html`${sectionHeading(sections[index]?.begins, columns)}
        <tr role="row" class="${rowClass(view, line)}">
          <th role="rowheader" scope="row" class="item-name">
            ${optionName(view, index) ?? html`<bdi>${line.productName}</bdi>`}${
              line.model ? html`<span class="item-model"><bdi>${line.model}</bdi></span>` : null
            }${
              line.description
                ? html`<span class="item-model item-description" dir="auto">${line.description}</span>`
                : null
            }${choiceOf(line, index, locale)}
          </th>
          <td role="cell" class="num item-quantity">${quantityText(line, { locale })}</td>
          <td role="cell" class="num">${formatAmount(line.unitPrice, currency, locale)}</td>
          ${discounted ? discountCell(line.discountPct, locale) : null}
          <td role="cell" class="num item-amount">${formatAmount(line.amount, currency, locale)}</td>
        </tr>
        ${sectionEnd(sections[index]?.ends, index, columns)}`,
  );
  return html`<table class="items" role="table">
    <caption class="visually-hidden">
      ${page.caption(currency)}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heading(quote.item)}${heading(quote.quantity, 'num')}${heading(quote.unitPrice, 'num')}${
          discounted ? heading(quote.discount, 'num') : null
        }${heading(quote.amount, 'num')}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows}
    </tbody>
  </table>`;
}

const sectionHeading = (section: string | null | undefined, columns: number): Html | null =>
  section
    ? html`<tr role="row" class="section">
        <th role="rowheader" scope="rowgroup" colspan="${columns}"><bdi>${section}</bdi></th>
      </tr>`
    : null;

const sectionEnd = (ends: readonly [string, string] | null | undefined, index: number, columns: number): Html | null =>
  ends
    ? html`<tr role="row" class="section-end">
        <th role="rowheader" scope="row" colspan="${columns - 1}"><bdi>${ends[0]}</bdi></th>
        <td role="cell" class="num item-amount" data-part="section-${index}">${ends[1]}</td>
      </tr>`
    : null;

/** The class of an option follows its control, so that the page changes before the service responds. */
const rowClass = ({ options }: QuoteView, { optional, choice, counts }: LineOfDrawing): string =>
  options && (optional || choice !== null) ? 'option-row' : counts ? '' : 'apart';

function choiceOf(line: LineOfDrawing, index: number, locale: Locale): Html | null {
  const text = choiceText(line, { locale });
  if (text === null) return null;
  return html`<span class="item-model item-choice" id="choice-${index}" data-part="choice-${index}">${text}</span>`;
}

const discountCell = (percent: string, locale: Locale): Html =>
  new Decimal(percent).isZero()
    ? html`<td role="cell" class="num item-discount none">—</td>`
    : html`<td role="cell" class="num item-discount">${formatPercentPoints(percent, locale)}</td>`;

/** Discount, subtotal, taxes with their rates, shipping, total and deposit. */
export function totals(drawing: QuoteDrawing): Html {
  const { quote } = textsOf(drawing.locale);
  const row = (name: string, value: string | Html, kind = '') =>
    html`<div class="total-row ${kind}">
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="totals">
    ${sumRows(drawing).map(([label, amount]) => row(label, amount))}${row(
      quote.total,
      withCode(drawing),
      `grand ${sizeOf(drawing)}`,
    )}${depositTexts(drawing).map((text, index) => row(index === 0 ? quote.deposit : '', text))}
  </dl>`;
}

/** The most letters of an amount, as shown, next to which a phone has room for the currency. */
const MAX_LARGE = '$999,999.99'.length;

/** The class of a total: figures do not wrap, so long ones get a smaller font. */
export const sizeOf = ({ total, currency, locale }: QuoteDrawing): string =>
  formatAmount(total, currency, locale).length > MAX_LARGE ? 'long' : '';

/** A total: the figure wraps only if it does not fit at all; its currency may wrap below it. */
export const withCode = ({ total, currency, locale }: QuoteDrawing): Html =>
  html`<span class="figure">${formatAmount(total, currency, locale)}</span> <span class="code">${currency}</span>`;
