import { html } from '../domain/html.ts';
import { layout } from './layout.ts';
import type { Frame } from './view.ts';

/** Messages of pages without a quote. Unknown and replaced links get the same one. */
export interface Message {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export const LOST: Message = {
  title: 'Cotización no encontrada',
  paragraphs: [
    'El enlace no es correcto o ya no está activo. Puede que la cotización se haya enviado de nuevo: use el enlace del correo más reciente.',
    'Si lo copió a mano, revise que esté completo. Si sigue sin abrir, responda al correo en el que la recibió.',
  ],
};
export const BUSY: Message = {
  title: 'Demasiadas solicitudes',
  paragraphs: ['Espere un momento y vuelva a cargar la página.'],
};
export const FOREIGN: Message = {
  title: 'Origen no permitido',
  paragraphs: [
    'La respuesta no llegó desde esta página y no se registró. Abra de nuevo el enlace del correo y responda ahí.',
  ],
};
export const AWAY: Message = {
  title: 'Servicio no disponible',
  paragraphs: ['No pudimos mostrar la cotización. Inténtelo de nuevo en unos minutos; el enlace sigue siendo válido.'],
};

export function messagePage(frame: Frame, { title, paragraphs }: Message): string {
  const body = html`<main class="wrap message">
    <div class="card">
      <div class="message-mark" aria-hidden="true"></div>
      <h1>${title}</h1>
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
    </div>
  </main>`;
  return layout(frame, title, body);
}
