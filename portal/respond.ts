import { type Html, html } from '../domain/html.ts';
import type { Field, QuoteView } from './view.ts';

/**
 * The two forms of an open quote. Both work without the script, which adds the drawn signature and early validation.
 */
export function respond(view: QuoteView): Html {
  return html`<section class="card respond" id="responder" aria-labelledby="respond-title" tabindex="-1" data-answers>
    <h2 id="respond-title">Su respuesta</h2>
    ${acceptForm(view)}${rejectForm(view)}
  </section>`;
}

function acceptForm(view: QuoteView): Html {
  const { path, drawing, form, consentText } = view;
  const { values } = form;
  return html`<form class="accept" method="post" action="${path}/accept" data-accept>
    ${form.open === 'accept' ? summary(view) : null}
    <p class="visually-hidden" role="status" aria-live="polite" data-live></p>
    <input type="hidden" name="version" value="${drawing.version}" />
    <input type="hidden" name="signatureData" value="" />
    ${field(view, 'signerName', {
      label: 'Nombre completo',
      input: html`type="text" autocomplete="name" maxlength="200" required
      value="${values.signerName ?? drawing.client.contactName}"`,
    })}
    ${field(view, 'signerEmail', {
      label: 'Correo electrónico',
      hint: 'Queda en la constancia de la firma.',
      input: html`type="email" autocomplete="email" inputmode="email" maxlength="254" required
      value="${values.signerEmail ?? ''}"`,
    })}
    ${signature(view)} ${consent(view, consentText)} ${note}
    <button type="submit" class="button button-main">Aceptar cotización</button>
  </form>`;
}

/** The errors above the form; each links to its field. */
function summary({ form: { errors } }: QuoteView): Html | null {
  const wrong = (Object.entries(errors) as [Field, string][]).map(
    ([name, message]) => html`<li><a href="#${name}">${message}</a></li>`,
  );
  if (wrong.length === 0) return null;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
    <p>Revise lo siguiente; su respuesta todavía no se registró.</p>
    <ul>
      ${wrong}
    </ul>
  </div>`;
}

function field(
  { form: { errors } }: QuoteView,
  name: 'signerName' | 'signerEmail',
  { label, hint, input }: { label: string; hint?: string; input: Html },
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
function signature({ form: { errors } }: QuoteView): Html {
  const message = errors.signature;
  const choice = (value: string, label: string, extra: Html) =>
    html`<label class="choice">
      <input type="radio" name="signatureType" value="${value}" ${extra} />
      <span>${label}</span>
    </label>`;
  return html`<fieldset class="field signature" id="signature" tabindex="-1" aria-describedby="signature-error">
    <legend>Firma</legend>
    <p class="hint no-js">Su nombre completo, como lo escribió arriba, vale como firma.</p>
    <div class="choices js-only">
      ${choice('typed', 'Escribir', html`checked`)}${choice('drawn', 'Dibujar', html`aria-controls="draw"`)}
    </div>
    <div class="paper js-only" data-typed><span class="typed" data-preview aria-hidden="true"></span></div>
    <div class="draw" id="draw" data-draw hidden>
      <canvas class="paper" role="img" aria-label="Espacio para dibujar su firma con el dedo o el ratón"></canvas>
      <button type="button" class="clear" data-clear>
        Borrar<span class="visually-hidden"> la firma dibujada</span>
      </button>
    </div>
    ${error('signature', message)}
  </fieldset>`;
}

function consent({ form: { errors } }: QuoteView, text: string): Html {
  const message = errors.consent;
  return html`<div class="field">
    <label class="check">
      <input
        id="consent"
        type="checkbox"
        name="consent"
        value="si"
        required
        aria-describedby="consent-error"
        ${invalid(message)}
      />
      <span>${text}</span>
    </label>
    ${error('consent', message)}
  </div>`;
}

function rejectForm(view: QuoteView): Html {
  const { path, form } = view;
  const message = form.errors.reason;
  return html`<details class="reject" id="rechazar" ${form.open === 'reject' ? html`open` : null}>
    <summary class="button button-plain">Rechazar la cotización</summary>
    <form method="post" action="${path}/reject" data-reject>
      ${form.open === 'reject' ? summary(view) : null}
      <div class="field">
        <label for="reason">Motivo <span class="soft">(opcional)</span></label>
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
      <button type="submit" class="button button-danger">Confirmar el rechazo</button>
    </form>
  </details>`;
}

/** Placeholder for the script's message about a lost connection. */
const note = html`<p class="note" role="alert" data-note></p>`;

const invalid = (message: string | undefined): Html | null => (message ? html`aria-invalid="true"` : null);

const error = (name: Field, message: string | undefined): Html =>
  html`<p class="error" id="${name}-error" data-error="${name}">${message ?? ''}</p>`;
