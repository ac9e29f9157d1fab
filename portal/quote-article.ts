import { type Html, html } from '../domain/html.ts';
import { type Account, accountOf } from '../domain/clabe.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';
import { type Texts, textsOf } from '../domain/texts/texts.ts';
import { legalIdentity, taxIdLine } from '../domain/tax-id.ts';
import { attachmentList } from './attachments.ts';
import { mailLink, phoneLink } from './contact.ts';
import { itemsTable, totals } from './items.ts';
import { selectionControls, selectionHint, selectionRefused } from './selection.ts';
import type { QuoteView } from './view.ts';
import { day, moment, until } from './words.ts';

/** The quote as a document: parties, lines, amounts, terms and the list of its files. */
export function quoteArticle(view: QuoteView): Html {
  const { drawing } = view;
  const { version, locale } = drawing;
  const { quote, page } = textsOf(locale);
  return html`<article class="card sheet" aria-labelledby="sheet-title">
    <header class="sheet-head">
      <h2 id="sheet-title" tabindex="-1">
        ${page.detail}${version > 1 ? html` <span class="chip">${quote.version} ${version}</span>` : null}
      </h2>
      <dl class="dates">
        <div>
          <dt>${quote.issued}</dt>
          <dd>${day(drawing.createdAt, drawing)}</dd>
        </div>
        <div>
          <dt>${quote.validUntil}</dt>
          <dd>${until(drawing.expiresAt, drawing)}</dd>
        </div>
      </dl>
    </header>
    ${parties(drawing)} ${subject(drawing)} ${selectionHint(view)} ${itemsTable(view)} ${selectionControls(view)}
    <div id="importes" class="amounts" data-part="totals">${selectionRefused(view)}${totals(drawing)}</div>
    ${notes(drawing)} ${terms(drawing)} ${attachmentList(view)} ${bank(drawing)} ${signed(drawing)}
    <p class="fine">${quote.notTaxDocument}</p>
  </article>`;
}

function parties({ business, client, seller, locale }: QuoteDrawing): Html {
  const { quote } = textsOf(locale);
  const lines = (parts: readonly (Html | string | null)[]) =>
    parts.flatMap((part) => (part ? [html`<span><bdi>${part}</bdi></span>`] : []));
  return html`<div class="parties">
    <section>
      <h3>${quote.from}</h3>
      <p class="party">
        <strong><bdi>${business.companyName}</bdi></strong>
        ${lines([
          ...legalIdentity(business, locale),
          business.address,
          business.phone && phoneLink(business.phone),
          business.email && mailLink(business.email),
        ])}
        <span class="soft">${quote.seller(seller.name)}</span>
      </p>
    </section>
    <section>
      <h3>${quote.to}</h3>
      <p class="party">
        <strong><bdi>${client.companyName ?? client.contactName}</bdi></strong>
        ${lines([client.companyName && client.contactName, taxIdLine(client, locale), client.address])}
      </p>
    </section>
  </div>`;
}

const notes = ({ notes: text, locale }: QuoteDrawing): Html | null =>
  text.trim() === ''
    ? null
    : html`<section class="notes">
        <h3>${textsOf(locale).quote.notes}</h3>
        <p dir="auto">${text}</p>
      </section>`;

const terms = ({ terms: text, locale }: QuoteDrawing): Html | null =>
  text === null
    ? null
    : html`<section class="notes">
        <h3>${textsOf(locale).quote.terms}</h3>
        <p dir="auto">${text}</p>
      </section>`;

/** What the quote is about, and the client's own number. */
function subject({ title, reference, locale }: QuoteDrawing): Html | null {
  if (title === null && reference === null) return null;
  return html`<p class="subject">
    ${title === null ? null : html`<strong><bdi>${title}</bdi></strong>`}
    ${reference === null ? null : html`<span class="soft">${textsOf(locale).quote.reference}: <bdi>${reference}</bdi></span>`}
  </p>`;
}

/** The bank details. The account number is copied without spaces. */
function bank({ bankInfo, business, locale }: QuoteDrawing): Html | null {
  const { quote, page } = textsOf(locale);
  const { bankName, clabe, beneficiary } = bankInfo ?? {};
  if (!bankName && !clabe && !beneficiary) return null;
  const account = clabe ? accountOf(clabe, business.country, locale) : null;
  const row = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<section class="bank">
    <h3>${quote.payment}</h3>
    <dl>
      ${beneficiary ? row(quote.beneficiary, beneficiary) : null} ${bankName ? row(quote.bank, bankName) : null}
      ${
        account
          ? html`<div>
              <dt>${account.label}</dt>
              <dd>
                <span class="clabe">${account.printed}</span>
                ${copyButton(page, account)}
              </dd>
            </div>`
          : null
      }
    </dl>
    <p class="visually-hidden" role="status" id="copied"></p>
  </section>`;
}

/** The script copies the account number and announces it. */
const copyButton = (page: Texts['page'], { label, copied }: Account): Html =>
  html`<button
    type="button"
    class="copy js-only"
    data-copy="${copied}"
    data-copied="${page.copied}"
    data-announcement="${page.accountCopied}"
  >
    ${page.copy}<span class="visually-hidden">${page.copyWhat(label)}</span>
  </button>`;

/** A typed name, in a smaller font if it is long; `accept-form.js` does the same during typing. */
const typedMark = (name: string): Html =>
  html`<span class="typed ${name.length > 80 ? 'longest' : name.length > 30 ? 'long' : ''}"><bdi>${name}</bdi></span>`;

/** The signature. The service itself encoded the image. */
function signed({ signature, timeZone, locale }: QuoteDrawing): Html | null {
  if (!signature) return null;
  const { quote } = textsOf(locale);
  const { data, signerName, signerEmail, signedAt } = signature;
  const written = data?.startsWith('data:')
    ? html`<img src="${data}" alt="${quote.signatureOf(signerName)}" />`
    : typedMark(data ?? signerName);
  return html`<section class="signed">
    <h3>${quote.acceptance}</h3>
    <div class="paper">${written}</div>
    <p>
      <strong><bdi>${signerName}</bdi></strong> <span class="soft">(${signerEmail})</span>
    </p>
    <p class="soft">${moment(signedAt, { timeZone, locale })}</p>
  </section>`;
}
