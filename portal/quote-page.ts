import { type Html, html } from '../domain/html.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { banners } from './banner.ts';
import { contactLine } from './contact.ts';
import { withCode } from './items.ts';
import { layout } from './layout.ts';
import { respond } from './respond.ts';
import { sheet } from './sheet.ts';
import type { QuoteView } from './view.ts';
import { day, remaining } from './words.ts';

/** The page `/p/<token>`, in every state of the quote. */
export function quotePage(view: QuoteView): string {
  const { drawing, state } = view;
  const { business, client } = drawing;
  const label = quoteLabel(drawing.quoteNumber);
  const isOpen = state === 'open';
  const body = html`<a class="skip" href="${isOpen ? '#responder' : '#sheet-title'}"
      >${isOpen ? 'Ir a la respuesta' : 'Ir a la cotización'}</a
    >
    ${masthead(view)}
    <main class="wrap">
      <div class="hero">
        <p class="eyebrow">Cotización</p>
        <h1>${label}</h1>
        <p class="lead">
          ${business.companyName} la preparó para
          ${client.contactName}${client.companyName ? html`, ${client.companyName}` : null}.
        </p>
      </div>
      ${banners(view)}
      <div class="columns">${overview(view)} ${sheet(drawing)} ${isOpen ? respond(view) : null}</div>
    </main>
    <footer class="foot wrap">
      <p>¿Dudas? ${contactLine(drawing)}</p>
      <p class="soft">${[business.companyName, business.address].filter(Boolean).join(' · ')}</p>
    </footer>`;
  return layout(view, `Cotización ${label} de ${business.companyName}`, body);
}

function masthead({ logoUrl, drawing }: QuoteView): Html {
  const { companyName } = drawing.business;
  return html`<header class="masthead">
    <div class="wrap">
      ${
        logoUrl
          ? html`<img class="logo" src="${logoUrl}" alt="${companyName}" />`
          : html`<span class="wordmark">${companyName}</span>`
      }
    </div>
  </header>`;
}

/** The amount, how long it holds, the document. */
function overview({ drawing, state, path, now }: QuoteView): Html {
  const { total, currency, expiresAt, signature } = drawing;
  const isOpen = state === 'open';
  return html`<section class="card overview" aria-labelledby="total-title">
    <h2 class="overview-title" id="total-title">Total</h2>
    <p class="overview-total">${withCode(total, currency)}</p>
    ${
      isOpen
        ? html`<p class="validity">
            <strong>${remaining(expiresAt, now)}</strong> · vigente hasta el ${day(expiresAt)}
          </p>`
        : null
    }
    <div class="actions">
      ${isOpen ? html`<a class="button button-main to-answer" href="#responder">Responder</a>` : null}
      <a class="button button-plain" href="${path}/pdf">${signature ? 'Descargar PDF firmado' : 'Descargar PDF'}</a>
    </div>
  </section>`;
}
