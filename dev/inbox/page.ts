import { type Html, html } from '../../domain/html.ts';
import { htmlPage } from '../pages/frame.ts';
import type { Message } from './store.ts';

/** The inbox's pages: a table of mails, and one mail. Plain HTML, without scripts. */

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 75rem; margin: 1.5rem auto; padding: 0 1rem; overflow-wrap: break-word; }
  h1 { font-size: 1.5rem; } form { margin-bottom: 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-bottom: 1px solid #8885; padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; }
  input, button { font: inherit; padding: .4rem .7rem; }
  iframe { background: #fff; border: 1px solid #8885; box-sizing: border-box; height: 70vh; width: 100%; }
  pre, .headers td { white-space: pre-wrap; overflow-wrap: anywhere; }
  @media (max-width: 40rem) { tr { display: block; border-bottom: 1px solid #8885; padding: .5rem 0; }
    .mails thead { display: none; } th, td { display: block; border: 0; padding: 0; } }
`;

const MOMENT = new Intl.DateTimeFormat('es-MX', { dateStyle: 'medium', timeStyle: 'medium' });

const page = (title: string, content: Html): string => htmlPage(title, STYLE, [content]);

/** Those of the messages that hold every word of the query, newest first as given. */
export function listPage(messages: readonly Message[], query: string): string {
  const words = folded(query).split(/\s+/).filter(Boolean);
  const found = messages.filter((message) => holds(message, words));
  const rows = found.map(
    ({ id, at, from, to, subject, attachments }) =>
      html`<tr>
        <td>${MOMENT.format(new Date(at))}</td>
        <td>${from}</td>
        <td>${to.join(', ')}</td>
        <td><a href="/messages/${id}">${subject || '(sin asunto)'}</a></td>
        <td>${attachments.map(({ filename }) => filename).join(', ')}</td>
      </tr>`,
  );
  const headings = ['Fecha', 'De', 'Para', 'Asunto', 'Adjuntos'].map((text) => html`<th scope="col">${text}</th>`);
  const nothing = messages.length === 0 ? 'Aquí aparece cada correo que envía el servicio.' : 'Ninguno coincide.';
  return page(
    'Bandeja de correo',
    html`<h1>Bandeja de correo</h1>
      <p>Correos de prueba: nada sale de este equipo. ${found.length} de ${messages.length}.</p>
      <form action="/">
        <input type="search" name="q" value="${query}" aria-label="Buscar en los mensajes" />
        <button>Buscar</button>
      </form>
      ${
        found.length === 0
          ? html`<p>${nothing}</p>`
          : html`<table class="mails">
              <thead>
                <tr>
                  ${headings}
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>`
      }`,
  );
}

/** One mail: envelope, attachments, both bodies, headers. Its HTML stays in a frame without scripts. */
export function messagePage({ id, at, from, to, subject, text, html: body, headers, attachments }: Message): string {
  const base = `/api/messages/${id}`;
  const files = attachments.map(
    ({ filename, size }, index) =>
      html`<li>
        <a href="${base}/attachments/${index}">${filename}</a> (${Math.ceil(size / 1024)} KB) ·
        <a href="${base}/attachments/${index}?download">descargar</a>
      </li>`,
  );
  const lines = Object.entries(headers).map(
    ([name, value]) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${value}</td>
      </tr>`,
  );
  return page(
    `${subject || '(sin asunto)'} · Bandeja de correo`,
    html`<p><a href="/">← Mensajes</a></p>
      <h1>${subject || '(sin asunto)'}</h1>
      <p>De ${from}<br />Para ${to.join(', ')}<br />${MOMENT.format(new Date(at))}</p>
      <ul>
        ${files}
      </ul>
      ${body === null ? null : html`<iframe title="Mensaje" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${base}/html"></iframe>`}
      ${
        text === null
          ? null
          : html`<h2>Texto</h2>
              <pre>${text}</pre>`
      }
      <details>
        <summary>Encabezados</summary>
        <table class="headers">
          ${lines}
        </table>
      </details>
      <p><a href="${base}/source">Original</a></p>`,
  );
}

/** Without case and accents: "cafe" finds «Café». */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function holds({ from, to, subject, text }: Message, words: readonly string[]): boolean {
  const content = folded([from, ...to, subject, text ?? ''].join(' '));
  return words.every((word) => content.includes(word));
}
