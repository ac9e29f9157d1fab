import { type Html, html } from '../domain/html.ts';
import { accountOf } from '../domain/clabe.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';
import { legalIdentity, taxIdLine } from '../domain/tax-id.ts';
import { mailLink, phoneLink } from './contact.ts';
import { itemsTable, totals } from './items.ts';
import { day, moment, until } from './words.ts';

/** The quote as a document: parties, lines, amounts and terms. */
export function sheet(drawing: QuoteDrawing): Html {
  const { version } = drawing;
  return html`<article class="card sheet" aria-labelledby="sheet-title">
    <header class="sheet-head">
      <h2 id="sheet-title" tabindex="-1">
        Detalle${version > 1 ? html` <span class="chip">Versión ${version}</span>` : null}
      </h2>
      <dl class="dates">
        <div>
          <dt>Fecha de emisión</dt>
          <dd>${day(drawing.createdAt, drawing)}</dd>
        </div>
        <div>
          <dt>Vigente hasta</dt>
          <dd>${until(drawing.expiresAt, drawing)}</dd>
        </div>
      </dl>
    </header>
    ${parties(drawing)} ${itemsTable(drawing)} ${totals(drawing)} ${notes(drawing)} ${bank(drawing)} ${signed(drawing)}
    <p class="fine">Esta cotización no es un comprobante fiscal.</p>
  </article>`;
}

function parties({ business, client, seller }: QuoteDrawing): Html {
  const lines = (parts: readonly (Html | string | null)[]) =>
    parts.flatMap((part) => (part ? [html`<span>${part}</span>`] : []));
  return html`<div class="parties">
    <section>
      <h3>De</h3>
      <p class="party">
        <strong><bdi>${business.companyName}</bdi></strong>
        ${lines([
          ...legalIdentity(business),
          business.address,
          business.phone && phoneLink(business.phone),
          business.email && mailLink(business.email),
        ])}
        <span class="soft">Le atiende ${seller.name}</span>
      </p>
    </section>
    <section>
      <h3>Para</h3>
      <p class="party">
        <strong><bdi>${client.companyName ?? client.contactName}</bdi></strong>
        ${lines([client.companyName && client.contactName, taxIdLine(client), client.address])}
      </p>
    </section>
  </div>`;
}

const notes = ({ notes: text }: QuoteDrawing): Html | null =>
  text.trim() === ''
    ? null
    : html`<section class="notes">
        <h3>Notas</h3>
        <p dir="auto">${text}</p>
      </section>`;

/** The bank details. The account number is copied without spaces. */
function bank({ bankInfo, business }: QuoteDrawing): Html | null {
  const { bankName, clabe, beneficiary } = bankInfo ?? {};
  if (!bankName && !clabe && !beneficiary) return null;
  const account = clabe ? accountOf(clabe, business.country) : null;
  const row = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<section class="bank">
    <h3>Datos para el pago</h3>
    <dl>
      ${beneficiary ? row('Beneficiario', beneficiary) : null} ${bankName ? row('Banco', bankName) : null}
      ${
        account
          ? html`<div>
              <dt>${account.label}</dt>
              <dd>
                <span class="clabe">${account.printed}</span>
                <button type="button" class="copy js-only" data-copy="${account.copied}">
                  Copiar<span class="visually-hidden"> la ${account.label}</span>
                </button>
              </dd>
            </div>`
          : null
      }
    </dl>
    <p class="visually-hidden" role="status" id="copied"></p>
  </section>`;
}

/** A typed name, in a smaller font if it is long; `accept-form.js` does the same during typing. */
const typedMark = (name: string): Html =>
  html`<span class="typed ${name.length > 80 ? 'longest' : name.length > 30 ? 'long' : ''}"><bdi>${name}</bdi></span>`;

/** The signature. The service itself encoded the image. */
function signed({ signature, timeZone }: QuoteDrawing): Html | null {
  if (!signature) return null;
  const { data, signerName, signerEmail, signedAt } = signature;
  const written = data?.startsWith('data:')
    ? html`<img src="${data}" alt="Firma de ${signerName}" />`
    : typedMark(data ?? signerName);
  return html`<section class="signed">
    <h3>Firma de aceptación</h3>
    <div class="paper">${written}</div>
    <p>
      <strong><bdi>${signerName}</bdi></strong> <span class="soft">(${signerEmail})</span>
    </p>
    <p class="soft">${moment(signedAt, { timeZone })}</p>
  </section>`;
}
