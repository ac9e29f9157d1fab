import { formatAmount, formatPercentPoints } from '../../domain/format.ts';
import { type Html, html } from '../../domain/html.ts';
import { Decimal, moneyString } from '../../domain/money.ts';
import type { LineOfDrawing } from '../../domain/quote-drawing.ts';
import { choiceText, depositTexts, quantityText, sectionsOf, sumRows } from '../../domain/quote-sums.ts';
import { lineAmount } from '../../domain/quote-totals.ts';
import { DEFAULT_CODE } from '../../domain/taxes.ts';
import { money } from '../figures.ts';
import type { QuoteContent } from './view.ts';

const LOCALE = 'es-MX';

/** Lines on one page of a long quote. */
export const LINES_PER_PAGE = 50;

interface DocumentView {
  readonly content: QuoteContent;
  /** From 1. */
  readonly linesPage: number;
  /** The address of a page of the lines. */
  readonly linesUrl: (page: number) => string;
  readonly title?: string;
}

/** What the client reads: lines with sections and options, sums, deposit, notes and terms. */
export function quoteDocument({ content, linesPage, linesUrl, title = 'Lo que ve su cliente' }: DocumentView): Html {
  const { currency, items } = content;
  const lines = linesOf(content);
  const sections = sectionsOf({ lines, currency, locale: LOCALE });
  const pages = Math.max(1, Math.ceil(items.length / LINES_PER_PAGE));
  const page = Math.min(Math.max(1, linesPage), pages);
  const from = (page - 1) * LINES_PER_PAGE;
  const isDiscounted = lines.some(({ discountPct }) => !new Decimal(discountPct).isZero());
  const columns = isDiscounted ? 5 : 4;
  const rows = lines.slice(from, from + LINES_PER_PAGE).map((line, index) => {
    const section = sections[from + index];
    // A section that goes on from the page before has its heading again.
    const heading = section?.begins ?? (index === 0 ? line.section : null);
    return html`${heading ? sectionRow(heading, columns) : null}${lineRow(line, { currency, isDiscounted })}${
      section?.ends
        ? html`<tr class="section-end">
            <th scope="row" colspan="${columns - 1}">${section.ends[0]}</th>
            <td class="number">${section.ends[1]}</td>
          </tr>`
        : null
    }`;
  });
  return html`<section class="card document" aria-labelledby="documento">
    <h2 id="documento">${title}</h2>
    ${subject(content)}
    <div class="lines-frame">
      <table class="lines" id="partidas">
        <caption class="visually-hidden">
          Partidas, en ${currency}
        </caption>
        <thead>
          <tr>
            <th scope="col">Concepto</th>
            <th scope="col" class="number">Cantidad</th>
            <th scope="col" class="number">Precio unitario</th>
            ${isDiscounted ? html`<th scope="col" class="number">Descuento</th>` : null}
            <th scope="col" class="number">Importe</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${pages === 1 ? null : linesNavigation({ page, pages, from, count: items.length, linesUrl })}
    ${sums(content, lines)} ${text('Notas', content.notes)} ${text('Condiciones', content.terms)}
  </section>`;
}

/** The lines before the discount of the document, as the client reads them. */
const linesOf = ({ currency, items, discountPct = '0' }: QuoteContent): readonly LineOfDrawing[] =>
  items.map((item) => ({
    productName: item.productName,
    model: item.model,
    description: item.description ?? null,
    section: item.section ?? null,
    unit: item.unit ?? null,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    discountPct: item.discountPct,
    amount: new Decimal(discountPct).isZero() ? item.subtotal : moneyString(lineAmount(item, currency), currency),
    optional: item.optional ?? false,
    choice: item.choice ?? null,
    counts: item.counts ?? true,
  }));

function subject({ title, reference }: QuoteContent): Html | null {
  if (!title && !reference) return null;
  return html`<p class="subject">
    ${title ? html`<strong>${title}</strong>` : null}
    ${reference ? html`<span class="soft">Referencia: ${reference}</span>` : null}
  </p>`;
}

const sectionRow = (section: string, columns: number): Html =>
  html`<tr class="section">
    <th scope="rowgroup" colspan="${columns}">${section}</th>
  </tr>`;

function lineRow(line: LineOfDrawing, { currency, isDiscounted }: { currency: string; isDiscounted: boolean }): Html {
  const choice = choiceText(line, { locale: LOCALE });
  const discount = new Decimal(line.discountPct);
  return html`<tr class="${line.counts ? '' : 'apart'}">
    <th scope="row">
      ${line.productName}${line.model ? html`<span class="sub">${line.model}</span>` : null}${
        line.description ? html`<span class="sub multiline">${line.description}</span>` : null
      }${choice === null ? null : html`<span class="sub choice">${choice}</span>`}
    </th>
    <td class="number" data-label="Cantidad">${quantityText(line, { locale: LOCALE })}</td>
    <td class="number" data-label="Precio unitario">${formatAmount(line.unitPrice, currency, LOCALE)}</td>
    ${
      isDiscounted
        ? html`<td class="number ${discount.isZero() ? 'blank' : ''}" data-label="Descuento">
            ${discount.isZero() ? '—' : formatPercentPoints(line.discountPct, LOCALE)}
          </td>`
        : null
    }
    <td class="number amount" data-label="Importe">${formatAmount(line.amount, currency, LOCALE)}</td>
  </tr>`;
}

function linesNavigation(view: {
  readonly page: number;
  readonly pages: number;
  readonly from: number;
  readonly count: number;
  readonly linesUrl: (page: number) => string;
}): Html {
  const { page, pages, from, count, linesUrl } = view;
  const last = Math.min(count, from + LINES_PER_PAGE);
  const link = (to: number, label: string, rel: string) =>
    to < 1 || to > pages
      ? null
      : html`<a class="button button-plain" href="${linesUrl(to)}#partidas" rel="${rel}">${label}</a>`;
  return html`<nav class="pagination lines-pages" aria-label="Páginas de las partidas">
    <p class="count">Partidas ${from + 1} a ${last} de ${count.toLocaleString(LOCALE)}</p>
    ${link(page - 1, 'Partidas anteriores', 'prev')} ${link(page + 1, 'Partidas siguientes', 'next')}
  </nav>`;
}

function sums(content: QuoteContent, lines: readonly LineOfDrawing[]): Html {
  const { currency, subtotal, shippingCost, total, discountPct = '0', deposit = null } = content;
  const isDiscounted = !new Decimal(discountPct).isZero();
  const before = lines.reduce((sum, { amount, counts }) => (counts ? sum.plus(amount) : sum), new Decimal(0));
  const discount = isDiscounted
    ? {
        percent: discountPct,
        before: before.toFixed(),
        amount: before.minus(subtotal).toFixed(),
      }
    : null;
  const rows = sumRows({
    subtotal,
    shippingCost,
    currency,
    discount,
    taxes: content.taxes ?? [defaultTax(content)],
    locale: LOCALE,
    business: { country: 'MX' },
  });
  const deposits = depositTexts({
    currency,
    locale: LOCALE,
    deposit: deposit && { ...deposit, percent: deposit.type === 'percent' ? deposit.value : null },
  });
  const row = (label: string, value: string, kind = '') =>
    html`<div class="${kind}">
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="sums">
    ${rows.map(([label, amount]) => row(label, amount))} ${row('Total', money(total, currency), 'sum-total')}
    ${deposits.map((line, index) => row(index === 0 ? 'Anticipo' : '', line))}
  </dl>`;
}

/** Of a version that an earlier release stored. */
const defaultTax = ({ taxRate, subtotal, tax }: QuoteContent) =>
  ({ code: DEFAULT_CODE, name: 'IVA', kind: 'transfer', rate: taxRate, base: subtotal, amount: tax }) as const;

const text = (title: string, content: string | null | undefined): Html | null =>
  content?.trim()
    ? html`<div class="text-block">
        <h3>${title}</h3>
        <p class="multiline">${content}</p>
      </div>`
    : null;
