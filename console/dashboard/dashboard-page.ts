import { type Html, html } from '../../domain/html.ts';
import { emptyState } from '../empty-state.ts';
import { shortDay } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import { heading } from '../layout.ts';
import { statusChip } from '../quotes/status.ts';
import { table } from '../tables.ts';
import { type Bar, barChart } from './chart.ts';
import type { DashboardView } from './dashboard-view.ts';
import { barsOf, spanOf } from './days.ts';
import { amount, clients, percent, statuses } from './shares.ts';

const PATH = '/app/dashboard';
const LABELS = { period: 'Periodo', from: 'Desde', to: 'Hasta' };
export const PERIOD_NAMES = { day: 'Hoy', week: 'Esta semana', month: 'Este mes' } as const;

/** How much a business quotes and wins in a period. */
export function dashboardPage(view: DashboardView): { readonly title: string; readonly body: Html } {
  const { figures, currency } = view;
  const title = 'Indicadores';
  const { from, to } = figures.period;
  const lead = html`${spanOf(from, to)}. Los importes suman las cotizaciones en ${currency}.`;
  const body = html`${heading(title, { lead })} ${filters(view)} ${indicators(view)}
  ${
    figures.kpis.generated.value === 0
      ? emptyState({
          title: 'Sin cotizaciones en este periodo',
          text: 'Elija otras fechas, o cree una cotización: aquí verá cuánto cotiza y cuánto gana.',
          action: { label: 'Ver las cotizaciones', href: '/app/quotes' },
        })
      : details(view)
  }`;
  return { title, body };
}

function filters({ filter }: DashboardView): Html {
  const fields = fieldSet(filter, LABELS);
  const optional = { isOptionalHidden: true } as const;
  return html`<form class="filters dashboard-filters" method="get" action="${PATH}">
    <p class="segments" role="group" aria-label="Periodo">
      ${Object.entries(PERIOD_NAMES).map(
        ([value, label]) =>
          html`<a
            class="button button-plain"
            href="${PATH}?period=${value}"
            ${filter.fields.get('period')?.[0] === value ? html`aria-current="true"` : null}
            >${label}</a
          >`,
      )}
    </p>
    ${fields.text('from', { ...optional, type: 'date' })} ${fields.text('to', { ...optional, type: 'date' })}
    <button type="submit" class="button button-plain">Ver estas fechas</button>
  </form>`;
}

/** More lost quotes are bad news. */
function trend(value: number, isGoodUp = true): Html {
  if (value === 0) return html`<p class="sub">Igual que el periodo anterior</p>`;
  const tone = value > 0 === isGoodUp ? 'up' : 'down';
  return html`<p class="sub">
    <span class="trend-${tone}">${value > 0 ? '▲' : '▼'} ${percent(Math.abs(value))}</span>
    ${value > 0 ? 'más' : 'menos'} que antes
  </p>`;
}

function indicators({ figures: { kpis, amounts }, currency }: DashboardView): Html {
  const change =
    amounts.prevQuoted === 0 ? (amounts.quoted === 0 ? 0 : 100) : (amounts.quoted / amounts.prevQuoted - 1) * 100;
  const tiles: readonly (readonly [label: string, value: string, more: Html])[] = [
    ['Cotizado', amount(amounts.quoted, currency), trend(Math.round(change * 10) / 10)],
    [
      'Ganado',
      amount(amounts.won, currency),
      html`<p class="sub">
        ${percent(amounts.quoted === 0 ? 0 : (amounts.won / amounts.quoted) * 100)} de lo cotizado
      </p>`,
    ],
    ['Cotizaciones', String(kpis.generated.value), trend(kpis.generated.trend)],
    [
      'Ganadas',
      `${kpis.won.value}`,
      html`<p class="sub">${percent(kpis.won.rate)} de las creadas</p>
        ${trend(kpis.won.trend)}`,
    ],
    [
      'Perdidas',
      `${kpis.lost.value}`,
      html`<p class="sub">${percent(kpis.lost.rate)} de las creadas</p>
        ${trend(kpis.lost.trend, false)}`,
    ],
    [
      'Clientes',
      kpis.clients.value.toLocaleString('es-MX'),
      html`<p class="sub">${kpis.clients.newInPeriod} nuevos</p>
        ${trend(kpis.clients.trend)}`,
    ],
  ];
  return html`<ul class="tiles">
    ${tiles.map(
      ([label, value, more]) =>
        html`<li class="tile">
          <p class="tile-label">${label}</p>
          <p class="tile-value">${value}</p>
          ${more}
        </li>`,
    )}
  </ul>`;
}

const details = (view: DashboardView): Html => {
  const { figures, currency, timeZone } = view;
  return html`${days(view)}
    <div class="halves">${statuses(view)} ${clients(view)}</div>
    ${people(view)}
    <section class="card" aria-labelledby="recientes">
      <h2 id="recientes">Las más recientes</h2>
      ${table(
        'Cotizaciones más recientes del periodo',
        [
          { label: 'Número' },
          { label: 'Cliente' },
          { label: 'Estado' },
          { label: 'Total', isNumber: true },
          { label: 'Creada' },
        ],
        figures.recentQuotes.map((quote) => ({
          cells: [
            html`<a href="/app/quotes/${quote.id}">Cotización ${quote.quoteNumber}</a>`,
            quote.companyName ?? quote.clientName,
            statusChip(quote.status, false),
            amount(quote.total, currency),
            shortDay(quote.createdAt, timeZone),
          ],
        })),
      )}
    </section>`;
};

function days({ figures, currency }: DashboardView): Html {
  const bars: readonly Bar[] = barsOf(figures.chartData).map((bar) => ({
    ...bar,
    amount: amount(bar.amount, currency),
  }));
  const { generated, won } = figures.kpis;
  return html`<section class="card" aria-labelledby="dias">
    <div class="chart-head">
      <h2 id="dias">Cotizaciones creadas</h2>
      <p class="legend">
        <span class="key key-generated"></span>Creadas <span class="key key-won"></span>De ellas, ganadas
      </p>
    </div>
    ${barChart(bars, `Gráfica de barras: ${generated.value} creadas y ${won.value} ganadas. Abajo está la tabla.`)}
    <details class="more">
      <summary>Ver como tabla</summary>
      ${table(
        'Cotizaciones creadas',
        [
          { label: 'Fecha' },
          { label: 'Creadas', isNumber: true },
          { label: 'Ganadas', isNumber: true },
          { label: 'Importe', isNumber: true },
        ],
        bars
          .filter((bar) => bar.generated > 0)
          .map((bar) => ({ cells: [bar.label, String(bar.generated), String(bar.won), bar.amount] })),
      )}
    </details>
  </section>`;
}

function people({ figures: { collaboratorActivity }, currency }: DashboardView): Html | null {
  if (collaboratorActivity.length < 2) return null;
  return html`<section class="card" aria-labelledby="equipo">
    <h2 id="equipo">Por vendedor</h2>
    ${table(
      'Cotizaciones del periodo por vendedor',
      [
        { label: 'Persona' },
        { label: 'Creadas', isNumber: true },
        { label: 'Ganadas', isNumber: true },
        { label: 'Perdidas', isNumber: true },
        { label: 'Cotizado', isNumber: true },
      ],
      collaboratorActivity.map((person) => ({
        cells: [
          person.name,
          String(person.generated),
          String(person.won),
          String(person.lost),
          amount(person.amount, currency),
        ],
      })),
    )}
  </section>`;
}
