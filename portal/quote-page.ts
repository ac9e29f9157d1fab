import { fullStopAfter } from '../domain/full-stop.ts';
import { type Html, html } from '../domain/html.ts';
import { hasLightLogo } from '../domain/logo.ts';
import { fileNameOf } from '../domain/quote-number.ts';
import { type Texts, textsOf } from '../domain/texts/texts.ts';
import { banners } from './banner.ts';
import { changeRequestForm } from './change-request.ts';
import { contactLine } from './contact.ts';
import { sizeOf, withCode } from './items.ts';
import { languages } from './languages.ts';
import { layout } from './layout.ts';
import { respond } from './respond.ts';
import { quoteArticle } from './quote-article.ts';
import type { QuoteView } from './view.ts';
import { remaining, until } from './words.ts';

/** The page `/p/<token>`, in every state of the quote. */
export function quotePage(view: QuoteView): string {
  const { drawing, state } = view;
  const { business, client } = drawing;
  const label = drawing.displayNumber;
  const isOpen = state === 'open';
  const { quote, page } = textsOf(drawing.locale);
  const prepared = page.lead(
    html`<bdi>${business.companyName}</bdi>`,
    html`<bdi>${client.contactName}</bdi>${client.companyName ? html`, <bdi>${client.companyName}</bdi>` : null}`,
  );
  const body = html`<a class="skip" href="${isOpen ? '#responder' : '#sheet-title'}"
      >${isOpen ? page.skipToAnswer : page.skipToQuote}</a
    >
    ${masthead(view)}
    <main class="wrap">
      <div class="hero">
        <p class="eyebrow">${quote.name}</p>
        <h1>${label}</h1>
        <p class="lead">${prepared}${fullStopAfter(client.companyName || client.contactName)}</p>
      </div>
      ${banners(view)}
      <div class="columns">
        ${overview(view)} ${quoteArticle(view)} ${isOpen ? respond(view, changeRequestForm(view)) : null}
      </div>
      ${isOpen ? dock(view) : null}
    </main>
    <footer class="foot wrap">
      <p>${page.questions} ${contactLine(drawing)}</p>
      <p class="soft">${[business.companyName, business.address].filter(Boolean).join(' · ')}</p>
    </footer>`;
  return layout(view, page.title(label, business.companyName), body);
}

function masthead({ logoUrl, drawing, path }: QuoteView): Html {
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
      ${languages(drawing.locale, path)}
    </div>
  </header>`;
}

/** The amount, the validity and the document. */
function overview({ drawing, state, path, query, now }: QuoteView): Html {
  const { expiresAt, displayNumber, signature } = drawing;
  const { quote, page } = textsOf(drawing.locale);
  const isOpen = state === 'open';
  return html`<section class="card overview" aria-labelledby="total-title">
    <h2 class="overview-title" id="total-title">${quote.total}</h2>
    <p class="overview-total ${sizeOf(drawing)}" data-part="total">${withCode(drawing)}</p>
    ${
      isOpen
        ? html`<p class="validity">
            <strong>${remaining(drawing, now)}</strong> · ${page.until(until(expiresAt, drawing))}
          </p>`
        : null
    }
    ${isOpen ? html`<div class="answers" data-answers>${answers(page)}</div>` : null}
    <a
      class="button ${signature ? 'button-main' : 'button-plain'}"
      href="${path}/pdf${query}"
      download="${fileNameOf(displayNumber)}.pdf"
      >${signature ? page.downloadSigned : page.download}</a
    >
  </section>`;
}

/** The two buttons; each leads to its form. */
const answers = ({ accept, reject }: Texts['page']): Html =>
  html`<a class="button button-main" href="#responder">${accept}</a>
    <a class="button button-plain" href="#rechazar" data-to-rejection>${reject}</a>`;

/** The same buttons at the bottom edge of a phone, shown by the script. */
function dock({ drawing }: QuoteView): Html {
  const { page } = textsOf(drawing.locale);
  return html`<div class="dock" role="group" aria-label="${page.respond}" data-dock hidden>
    <p class="dock-total ${sizeOf(drawing)}" data-part="dock-total">${withCode(drawing)}</p>
    <div class="answers">${answers(page)}</div>
  </div>`;
}
