import { type Html, html } from '../../domain/html.ts';
import { devFrame } from './frame.ts';
import { BLANKS, BOOKMARKS, filled, listPage } from './bookmarks.ts';

export interface DevPage {
  /** Null when no Temporal UI is configured: the queries are shown without links. */
  readonly uiUrl: string | null;
  readonly namespace: string;
  /** The values typed into the form, by placeholder. */
  readonly known: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly now: string;
}

/** The page /dev: addresses on this machine, and the bookmarks for Temporal. */
export function devPage({ uiUrl, namespace, known, now }: DevPage): string {
  const bookmarks = BOOKMARKS.map(({ title, query }) => {
    const whole = filled(query, { ...known, now });
    return html`<tr>
      <td>${whole === undefined || uiUrl === null ? title : linkTo(listPage(uiUrl, namespace, whole), title)}</td>
      <td><code>${whole ?? query}</code></td>
    </tr>`;
  });
  const fields = BLANKS.map(
    (name) => html`<label>${name} <input name="${name}" value="${known[name] ?? ''}" autocomplete="off" /></label> `,
  );
  return devFrame('Desarrollo', [
    html`<h1>En este equipo</h1>
      <ul>
        <li>${linkTo('/docs', 'Documentación')}: guías y referencia de cada ruta</li>
        <li>${linkTo('/dev/sink', 'Sumideros de webhooks')}: lo que llegó, y si la firma es válida</li>
        ${uiUrl === null ? null : html`<li>${linkTo(listPage(uiUrl, namespace, ''), 'Temporal')}: cada ejecución</li>`}
      </ul>
      <h2>Consultas para Temporal</h2>
      <p>Con los identificadores de abajo, cada una lleva a su lista.</p>
      <form method="get" action="/dev">
        ${fields}
        <button>Poner</button>
      </form>
      <table>
        ${bookmarks}
      </table>`,
  ]);
}

const linkTo = (href: string, text: string): Html => html`<a href="${href}">${text}</a>`;
