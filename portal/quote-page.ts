import { fullStopAfter } from '../domain/full-stop.ts';
import { type Html, html } from '../domain/html.ts';
import { hasLightLogo } from '../domain/logo.ts';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { banners } from './banner.ts';
import { contactLine } from './contact.ts';
import { sizeOf, withCode } from './items.ts';
import { layout } from './layout.ts';
import { respond } from './respond.ts';
import { sheet } from './sheet.ts';
import type { QuoteView } from './view.ts';
import { remaining, until } from './words.ts';

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
          <bdi>${business.companyName}</bdi> la preparó para
          <bdi>${client.contactName}</bdi
          >${client.companyName ? html`, <bdi>${client.companyName}</bdi>` : null}${fullStopAfter(client.companyName || client.contactName)}
        </p>
      </div>
      ${banners(view)}
      <div class="columns">${overview(view)} ${sheet(drawing)} ${isOpen ? respond(view) : null}</div>
      ${isOpen ? dock(view) : null}
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
          ? html`<img
              class="${hasLightLogo(drawing.branding) ? 'logo logo-light' : 'logo'}"
              src="${logoUrl}"
              alt="${companyName}"
            />`
          : html`<span class="wordmark">${companyName}</span>`
      }
    </div>
  </header>`;
}

/** The amount, the validity and the document. */
function overview({ drawing, state, path, now }: QuoteView): Html {
  const { total, currency, expiresAt, quoteNumber, signature } = drawing;
  const isOpen = state === 'open';
  return html`<section class="card overview" aria-labelledby="total-title">
    <h2 class="overview-title" id="total-title">Total</h2>
    <p class="overview-total ${sizeOf(total)}">${withCode(total, currency)}</p>
    ${
      isOpen
        ? html`<p class="validity">
            <strong>${remaining(drawing, now)}</strong> · vigente hasta el ${until(expiresAt, drawing)}
          </p>`
        : null
    }
    ${isOpen ? html`<div class="answers" data-answers>${answers}</div>` : null}
    <a
      class="button ${signature ? 'button-main' : 'button-plain'}"
      href="${path}/pdf"
      download="${quoteLabel(quoteNumber)}.pdf"
      >${signature ? 'Descargar PDF firmado' : 'Descargar PDF'}</a
    >
  </section>`;
}

/** The two buttons; each leads to its form. */
const answers = html`<a class="button button-main" href="#responder">Aceptar</a>
  <a class="button button-plain" href="#rechazar" data-to-rejection>Rechazar</a>`;

/** The same buttons at the bottom edge of a phone, shown by the script. */
const dock = ({ drawing: { total, currency } }: QuoteView): Html =>
  html`<div class="dock" role="group" aria-label="Responder" data-dock hidden>
    <p class="dock-total ${sizeOf(total)}">${withCode(total, currency)}</p>
    <div class="answers">${answers}</div>
  </div>`;
