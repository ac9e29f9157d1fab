import { type Html, html } from '../../domain/html.ts';
import { IMPORT_KINDS } from '../../domain/imports.ts';
import { heading } from '../layout.ts';
import { importPath, KINDS } from './words.ts';

/** Where imports begin. */
export function importStartPage(): { readonly title: string; readonly body: Html } {
  const title = 'Importar';
  const body = html`${heading(title, { lead: 'Traiga lo que ya tiene en una hoja de cálculo, en CSV o XLSX.' })}
    <div class="grid">
      ${IMPORT_KINDS.map((kind) => {
        const { many } = KINDS[kind];
        const name = many.charAt(0).toUpperCase() + many.slice(1);
        return html`<section class="card stack" aria-labelledby="${kind}">
          <h2 id="${kind}">${name}</h2>
          <p class="soft">Antes de guardar puede revisar el archivo. Se guardan todas las filas o ninguna.</p>
          <div class="actions">
            <a class="button button-main" href="${importPath(kind)}">${KINDS[kind].title}</a>
            <a class="button button-plain" href="${importPath(kind)}.csv" download
              >Plantilla<span class="visually-hidden"> de ${many}</span></a
            >
          </div>
        </section>`;
      })}
    </div>`;
  return { title, body };
}
