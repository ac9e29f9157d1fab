import { type Html, html } from '../domain/html.ts';
import { type Texts, textsOf } from '../domain/texts/texts.ts';
import { ACCEPT_FORM, shownSelection } from './selection.ts';
import type { Field, QuoteView } from './view.ts';
import { withWholeZones } from './words.ts';

const textsFor = ({ locale }: QuoteView): Texts['page']['form'] => textsOf(locale).page.form;

/**
 * The forms of an open quote, `changes` between both decisions. They work without the script, which adds the drawn signature and early validation.
 */
export function respond(view: QuoteView, changes: Html): Html {
  return html`<section class="card respond" id="responder" aria-labelledby="respond-title" tabindex="-1" data-answers>
    <h2 id="respond-title">${textsFor(view).title}</h2>
    ${acceptForm(view)}${changes}${rejectForm(view)}
  </section>`;
}

function acceptForm(view: QuoteView): Html {
  const { path, query, drawing, form, consentText } = view;
  const { values } = form;
  const texts = textsFor(view);
  return html`<form
    class="accept"
    id="${ACCEPT_FORM}"
    method="post"
    action="${path}/accept${query}"
    ${sendingTexts(view)}
    data-accept
  >
    ${form.open === 'accept' ? summary(view) : null}
    <p class="visually-hidden" role="status" aria-live="polite" data-live></p>
    <input type="hidden" name="version" value="${drawing.version}" />
    <input type="hidden" name="locale" value="${drawing.locale}" />
    <input type="hidden" name="signatureData" value="" />
    ${shownSelection(view)}
    ${field(view, 'signerName', {
      label: texts.name,
      input: html`type="text" autocomplete="name" maxlength="200" required data-invalid="${texts.errors.signerName}"
      value="${values.signerName ?? drawing.client.contactName}"`,
    })}
    ${field(view, 'signerEmail', {
      label: texts.email,
      hint: texts.emailHint,
      input: html`type="email" autocomplete="email" inputmode="email" maxlength="254" required
      data-invalid="${texts.errors.signerEmail}" value="${values.signerEmail ?? view.signerEmail ?? ''}"`,
    })}
    ${signature(view)} ${consent(view, consentText)} ${note}
    <button type="submit" class="button button-main">${texts.accept}</button>
  </form>`;
}

/** Texts that the script shows while the form is sent and when no response arrives. */
export const sendingTexts = (view: QuoteView): Html =>
  html`data-sending="${textsFor(view).sending}" data-not-confirmed="${textsFor(view).notConfirmed}"`;

/** The errors above the form; each links to its field. */
export function summary(view: QuoteView): Html | null {
  const { errors } = view.form;
  const wrong = (Object.entries(errors) as [Field, string][]).map(
    ([name, message]) => html`<li><a href="#${name}">${message}</a></li>`,
  );
  if (wrong.length === 0) return null;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
    <p>${textsFor(view).checkThese}</p>
    <ul>
      ${wrong}
    </ul>
  </div>`;
}

export function field(
  { form: { errors } }: QuoteView,
  name: 'signerName' | 'signerEmail' | 'changeName' | 'changeEmail',
  { label, hint, input }: { label: string | Html; hint?: string; input: Html },
): Html {
  const message = errors[name];
  const described = [hint ? `${name}-hint` : null, `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}
    <input id="${name}" name="${name}" aria-describedby="${described}" ${invalid(message)} ${input} />
    ${error(name, message)}
  </div>`;
}

/** A typed name is an equivalent signature, because keyboards and screen readers cannot draw. */
function signature(view: QuoteView): Html {
  const message = view.form.errors.signature;
  const texts = textsFor(view);
  const choice = (value: string, label: string, extra: Html) =>
    html`<label class="choice">
      <input type="radio" name="signatureType" value="${value}" ${extra} />
      <span>${label}</span>
    </label>`;
  return html`<fieldset class="field signature" id="signature" tabindex="-1" aria-describedby="signature-error">
    <legend>${textsOf(view.locale).quote.signature}</legend>
    <p class="hint no-js">${texts.typedHint}</p>
    <div class="choices js-only">
      ${choice('typed', texts.type, html`checked`)}${choice('drawn', texts.draw, html`aria-controls="draw"`)}
    </div>
    <div class="paper js-only" data-typed><span class="typed" data-preview aria-hidden="true"></span></div>
    <div class="draw" id="draw" data-draw data-invalid="${texts.noSignature}" hidden>
      <canvas class="paper" role="img" aria-label="${texts.canvas}"></canvas>
      <button type="button" class="clear" data-clear>
        ${texts.clear}<span class="visually-hidden">${texts.clearWhat}</span>
      </button>
    </div>
    ${error('signature', message)}
  </fieldset>`;
}

function consent(view: QuoteView, text: string): Html {
  const message = view.form.errors.consent;
  return html`<div class="field">
    <label class="check">
      <input
        id="consent"
        type="checkbox"
        name="consent"
        value="si"
        required
        aria-describedby="consent-error"
        data-invalid="${textsFor(view).errors.consent}"
        ${invalid(message)}
      />
      <span data-part="consent">${withWholeZones(text)}</span>
    </label>
    ${error('consent', message)}
  </div>`;
}

function rejectForm(view: QuoteView): Html {
  const { path, query, form } = view;
  const message = form.errors.reason;
  const texts = textsFor(view);
  return html`<details class="reject" id="rechazar" ${form.open === 'reject' ? html`open` : null}>
    <summary class="button button-plain">${texts.reject}</summary>
    <form method="post" action="${path}/reject${query}" ${sendingTexts(view)} data-reject>
      ${form.open === 'reject' ? summary(view) : null}
      <div class="field">
        <label for="reason">${texts.reason} <span class="soft">${texts.optional}</span></label>
        <textarea
          id="reason"
          name="reason"
          rows="3"
          maxlength="1000"
          aria-describedby="reason-error"
          ${invalid(message)}
        >
${form.values.reason ?? ''}</textarea>
        ${error('reason', message)}
      </div>
      ${note}
      <button type="submit" class="button button-danger">${texts.confirmRejection}</button>
    </form>
  </details>`;
}

/** Placeholder for the script's message about a lost connection. */
export const note = html`<p class="note" role="alert" data-note></p>`;

export const invalid = (message: string | undefined): Html | null => (message ? html`aria-invalid="true"` : null);

export const error = (name: Field, message: string | undefined): Html =>
  html`<p class="error" id="${name}-error" data-error="${name}">${message ?? ''}</p>`;
