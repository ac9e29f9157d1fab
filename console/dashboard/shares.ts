import { type Html, html } from '../../domain/html.ts';
import { money } from '../figures.ts';
import { shareBar } from './chart.ts';
import type { DashboardView } from './dashboard-view.ts';

/** Shares as bars beside their numbers, in tables. */

export const percent = (value: number): string => `${value.toLocaleString('es-MX', { maximumFractionDigits: 1 })} %`;
export const amount = (value: number, currency: string): string => money(String(value), currency);

/** The bars have the tones of the chips; the API's colours are for light pages. */
const TONES: Readonly<Record<string, string>> = {
  Ganadas: 'good',
  Aceptadas: 'good',
  Perdidas: 'bad',
  Rechazadas: 'bad',
  Enviadas: 'info',
};

/** The quotes of the period by their status of today. */
export function statuses({ figures: { statusDistribution, kpis } }: DashboardView): Html {
  return html`<section class="card" aria-labelledby="estados">
    <h2 id="estados">Cómo van hoy</h2>
    <table class="shares">
      <caption class="visually-hidden">
        Cotizaciones del periodo por estado
      </caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Estado</th>
          <th scope="col">Parte</th>
          <th scope="col">Cotizaciones</th>
        </tr>
      </thead>
      <tbody>
        ${statusDistribution.map(
          ({ name, value }) =>
            html`<tr>
              <th scope="row">${name === 'Generadas' ? 'Sin enviar' : name}</th>
              <td class="share-cell">
                ${shareBar(value, kpis.generated.value, TONES[name] ?? 'plain')}<span class="visually-hidden"
                  >${percent((value / kpis.generated.value) * 100)}</span
                >
              </td>
              <td class="number">${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** The clients with the largest amounts. */
export function clients({ figures: { topClients }, currency }: DashboardView): Html {
  const most = Math.max(...topClients.map(({ total }) => total), 0);
  return html`<section class="card" aria-labelledby="clientes">
    <h2 id="clientes">A quién le cotiza más</h2>
    <table class="shares">
      <caption class="visually-hidden">
        Clientes con el mayor importe del periodo
      </caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Cliente</th>
          <th scope="col">Comparación</th>
          <th scope="col">Importe</th>
        </tr>
      </thead>
      <tbody>
        ${topClients.map(
          ({ name, company, count, total }) =>
            html`<tr>
              <th scope="row">
                ${company ?? name}<span class="sub">${count === 1 ? '1 cotización' : `${count} cotizaciones`}</span>
              </th>
              <td class="share-cell">
                ${shareBar(total, most, 'info')}<span class="visually-hidden"
                  >${most === 0 ? '0 %' : percent((total / most) * 100)} del mayor</span
                >
              </td>
              <td class="number">${amount(total, currency)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
