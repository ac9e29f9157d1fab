import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { COUNTRIES } from '../countries.ts';
import { confirmed } from '../confirm.ts';
import { money, shortDay } from '../figures.ts';
import { actionForm, errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { LANGUAGES } from '../languages.ts';
import { heading } from '../layout.ts';
import type { QuoteRow } from '../quotes/list-page.ts';
import { statusChip } from '../quotes/status.ts';
import { table } from '../tables.ts';
import { CLIENTS_PATH, clientName, type ClientView } from './view.ts';

interface ClientDetailView {
  readonly client: ClientView;
  /** Its newest quotes that the user may see. */
  readonly quotes: readonly QuoteRow[];
  readonly quoteCount: number;
  /** Of the buttons; with the refusal of one that was pressed. */
  readonly form: FormState;
  readonly canUpdate: boolean;
  readonly canDelete: boolean;
  readonly timeZone: TimeZone;
}

/** A client: who it is, its people, and its quotes. */
export function clientDetailPage(view: ClientDetailView): { readonly title: string; readonly body: Html } {
  const { client, form } = view;
  const title = clientName(client);
  const body = html`${heading(title, { lead: leadOf(client), actions: actionsOf(view) })}
    ${errorSummary({ form, labels: {}, current: pathOf(client) })} ${client.isActive ? null : inactive(view)}
    <div class="record">
      <div class="record-main">${quotesOf(view)} ${contactsOf(client)}</div>
      <div class="record-side">${factsOf(client)} ${client.isActive && view.canDelete ? deactivate(view) : null}</div>
    </div>`;
  return { title, body };
}

const pathOf = ({ id }: ClientView): string => `${CLIENTS_PATH}/${id}`;

const leadOf = ({ companyName, contactName, email }: ClientView): Html =>
  html`${companyName === null ? null : html`<bdi>${contactName}</bdi>${email === null ? null : ' · '}`}${email}`;

const actionsOf = ({ client, canUpdate }: ClientDetailView): readonly Html[] => [
  ...(canUpdate ? [html`<a class="button button-plain" href="${pathOf(client)}/edit">Editar</a>`] : []),
  ...(client.isActive
    ? [html`<a class="button button-main" href="/app/quotes/new?client=${client.id}">Nueva cotización</a>`]
    : []),
];

const inactive = ({ client, canUpdate, form }: ClientDetailView): Html =>
  html`<section class="notice notice-warn" aria-labelledby="desactivado">
    <h2 id="desactivado">Cliente desactivado</h2>
    <p>No recibe cotizaciones nuevas. Las que ya tiene siguen vigentes.</p>
    ${canUpdate ? actionForm({ form, action: `${pathOf(client)}/activate`, submit: 'Reactivar' }) : null}
  </section>`;

function quotesOf({ client, quotes, quoteCount, timeZone }: ClientDetailView): Html {
  return html`<section class="stack" aria-labelledby="cotizaciones">
    <div class="section-head">
      <h2 id="cotizaciones">Cotizaciones</h2>
      ${
        quoteCount > quotes.length
          ? html`<a href="/app/quotes?clientId=${client.id}">Ver las ${quoteCount.toLocaleString('es-MX')}</a>`
          : null
      }
    </div>
    ${
      quotes.length === 0
        ? html`<p class="card soft">
            ${client.isActive ? 'Todavía no le ha cotizado.' : 'No tiene cotizaciones que usted pueda ver.'}
          </p>`
        : table(
            'Cotizaciones del cliente',
            [{ label: 'Número' }, { label: 'Estado' }, { label: 'Total', isNumber: true }, { label: 'Creada' }],
            quotes.map((quote) => ({
              cells: [
                html`<a href="/app/quotes/${quote.id}">${quote.displayNumber}</a>${
                    quote.title === null ? null : html`<span class="sub"><bdi>${quote.title}</bdi></span>`
                  }`,
                statusChip(quote.status, quote.isExpired),
                money(quote.total, quote.currency),
                shortDay(quote.createdAt, timeZone),
              ],
            })),
          )
    }
  </section>`;
}

function contactsOf({ contacts }: ClientView): Html | null {
  if (contacts.length === 0) return null;
  return html`<section class="stack" aria-labelledby="contactos">
    <h2 id="contactos">Más personas</h2>
    ${table(
      'Más personas del cliente',
      [{ label: 'Nombre' }, { label: 'Puesto' }, { label: 'Correo electrónico' }, { label: 'Teléfono' }],
      contacts.map(({ name, role, email, phone }) => ({ cells: [html`<bdi>${name}</bdi>`, role, email, phone] })),
    )}
  </section>`;
}

function factsOf(client: ClientView): Html {
  const facts: readonly (readonly [string, string | Html | null])[] = [
    ['Teléfono', client.phone],
    ['Clave fiscal', client.taxId],
    ['Dirección', client.address === null ? null : html`<span class="lines-kept">${client.address}</span>`],
    ['País', labelIn(COUNTRIES, client.country)],
    ['Idioma de lo que recibe', client.locale === null ? 'El del negocio' : labelIn(LANGUAGES, client.locale)],
    ['Notas internas', client.notes === null ? null : html`<span class="lines-kept">${client.notes}</span>`],
  ];
  return html`<section class="card" aria-labelledby="datos">
    <h2 id="datos">Datos</h2>
    <dl class="facts facts-column">
      ${facts
        .filter(([, value]) => value !== null && value !== '')
        .map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
    </dl>
  </section>`;
}

const labelIn = (options: readonly { readonly value: string; readonly label: string }[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;

const deactivate = ({ client, form }: ClientDetailView): Html =>
  confirmed({
    form,
    action: `${pathOf(client)}/delete`,
    label: 'Desactivar el cliente',
    text: 'Deja de poder recibir cotizaciones nuevas; las que tiene siguen vigentes. Puede reactivarlo cuando quiera.',
    submit: 'Desactivar',
  });
