import { type Html, html } from '../domain/html.ts';
import { assertNever } from '../domain/assert-never.ts';
import { textsOf } from '../domain/texts/texts.ts';
import { contactLine } from './contact.ts';
import type { QuoteView } from './view.ts';
import { moment, until } from './words.ts';

/** The banner above the quote: its state, and the result of the form that was just sent. */

/** @param role `alert` for the result of what the client just did */
export const box = (
  kind: 'good' | 'bad' | 'warn' | 'plain',
  title: string | Html,
  text: string | Html,
  role = 'status',
): Html =>
  html`<div class="banner banner-${kind}" role="${role}">
    <div class="banner-mark" aria-hidden="true"></div>
    <div>
      <p class="banner-title">${title}</p>
      <p>${text}</p>
    </div>
  </div>`;

/** Errors of a form are shown in the form, a refused selection beside the amounts. */
function noticeBox({ notice, drawing: { version, locale } }: QuoteView): Html | null {
  const { versionChanged, alreadyAnswered, selectionChanged, lapsed, unavailable } = textsOf(locale).page.notices;
  switch (notice) {
    case null:
    case 'invalid':
    case 'selection_refused':
      return null;
    case 'version_changed': {
      const link = html`<a href="#sheet-title">${versionChanged.link(version)}</a>`;
      return box('warn', versionChanged.title, versionChanged.text(link), 'alert');
    }
    case 'already_answered':
      return box('warn', alreadyAnswered.title, alreadyAnswered.text, 'alert');
    case 'selection_changed':
      return box('warn', selectionChanged.title, selectionChanged.text, 'alert');
    case 'lapsed':
      return box('warn', lapsed.title, lapsed.text, 'alert');
    case 'unavailable':
      return box('bad', unavailable.title, unavailable.text, 'alert');
    default:
      return assertNever(notice);
  }
}

function stateBox({ state, drawing, answeredAt, rejectionReason, changeRequest }: QuoteView): Html | null {
  const texts = textsOf(drawing.locale).page.states;
  const { signature } = drawing;
  const answered = answeredAt && moment(answeredAt, drawing);
  switch (state) {
    case 'open':
      return changeRequest
        ? box(
            'plain',
            texts.changesRequested(moment(changeRequest.at, drawing)),
            html`${texts.changesSent} <span class="request" dir="auto">${changeRequest.message}</span>`,
          )
        : null;
    case 'accepted':
      return box(
        'good',
        texts.accepted,
        signature
          ? texts.signedBy(
              html`<strong><bdi>${signature.signerName}</bdi></strong>`,
              moment(signature.signedAt, drawing),
            )
          : html`${answered && texts.acceptedAt(answered)}${texts.nothingLeft}`,
      );
    case 'rejected': {
      const reason = rejectionReason ? texts.reason(html`<bdi>${rejectionReason}</bdi>`) : null;
      const when = answered && texts.rejectedAt(answered);
      return box('plain', texts.rejected, html`${when}${reason}${texts.changedYourMind}${contactLine(drawing)}`);
    }
    case 'expired': {
      const title = texts.expired(until(drawing.expiresAt, drawing));
      return box('warn', title, html`${texts.expiredText}${contactLine(drawing)}`);
    }
    case 'closed':
      return box('plain', texts.closed, html`${texts.closedText}${contactLine(drawing)}`);
    default:
      return assertNever(state);
  }
}

/** The notice of the form, then the state of the quote. */
export const banners = (view: QuoteView): Html => html`${noticeBox(view)}${stateBox(view)}`;
