import { type Html, html } from '../domain/html.ts';
import { contactLine } from './contact.ts';
import type { Notice, QuoteView } from './view.ts';
import { moment, until } from './words.ts';

/** The banner above the quote: its state, and the result of the form that was just sent. */

const box = (kind: 'good' | 'bad' | 'warn' | 'plain', title: string | Html, text: Html, role = 'status'): Html =>
  html`<div class="banner banner-${kind}" role="${role}">
    <div class="banner-mark" aria-hidden="true"></div>
    <div>
      <p class="banner-title">${title}</p>
      <p>${text}</p>
    </div>
  </div>`;

const NOTICES: Readonly<Record<Exclude<Notice, 'invalid'>, (view: QuoteView) => Html>> = {
  version_changed: ({ drawing }) =>
    box(
      'warn',
      'La versión de la cotización cambió',
      html`Mientras la revisaba llegó una versión nueva; no se registró ninguna respuesta.
        <a href="#sheet-title">Revise la versión ${drawing.version}</a> y responda de nuevo.`,
      'alert',
    ),
  already_answered: () =>
    box('warn', 'La cotización ya fue respondida', html`Su nueva respuesta no se registró: vale la primera.`, 'alert'),
  lapsed: () =>
    box('warn', 'La cotización venció', html`Su respuesta llegó después del vencimiento y no se registró.`, 'alert'),
  unavailable: () =>
    box(
      'bad',
      'No pudimos registrar su respuesta',
      html`El servicio no está disponible en este momento. Sus datos siguen aquí: inténtelo de nuevo en unos minutos.`,
      'alert',
    ),
};

const STATES: Readonly<Record<Exclude<QuoteView['state'], 'open'>, (view: QuoteView) => Html>> = {
  accepted: ({ drawing, answeredAt }) => {
    const { signature } = drawing;
    const text = signature
      ? html`Firmada por <strong><bdi>${signature.signerName}</bdi></strong> el ${moment(signature.signedAt, drawing)}.
          Guarde el documento firmado; no hace falta hacer nada más.`
      : html`${answeredAt ? html`Se aceptó el ${moment(answeredAt, drawing)}. ` : null}No hace falta hacer nada más.`;
    return box('good', 'Cotización aceptada', text);
  },
  rejected: ({ drawing, answeredAt, rejectionReason }) =>
    box(
      'plain',
      'Cotización rechazada',
      html`${answeredAt ? html`Se rechazó el ${moment(answeredAt, drawing)}. ` : null}${
        rejectionReason ? html`Motivo: «<bdi>${rejectionReason}</bdi>» ` : null
      }¿Cambió
      de opinión? ${contactLine(drawing)}`,
    ),
  expired: ({ drawing }) =>
    box(
      'warn',
      html`Esta cotización venció el ${until(drawing.expiresAt, drawing)}`,
      html`Ya no se puede aceptar en línea. ¿Le sigue interesando? ${contactLine(drawing)}`,
    ),
  closed: ({ drawing }) =>
    box('plain', 'Esta cotización está cerrada', html`Ya no se puede responder en línea. ${contactLine(drawing)}`),
};

/** The notice of the form, then the state of the quote. */
export function banners(view: QuoteView): Html {
  const { notice, state } = view;
  // Errors of a form are shown in the form.
  const noticed = notice === null || notice === 'invalid' ? null : NOTICES[notice](view);
  return html`${noticed}${state === 'open' ? null : STATES[state](view)}`;
}
