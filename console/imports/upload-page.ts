import { type Html, html } from '../../domain/html.ts';
import { IMPORT_COLUMNS } from '../../domain/import-columns.ts';
import { type ImportKind, MAX_IMPORT_ROWS } from '../../domain/imports.ts';
import { errorSummary } from '../forms/form.ts';
import { type FormState, valueOf } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { table } from '../tables.ts';
import { importPath, KINDS } from './words.ts';

const LABELS = { file: 'Archivo' };

/** The form of an import, and the columns that a file may have. */
export function importUploadPage({ kind, form }: { readonly kind: ImportKind; readonly form: FormState }): {
  readonly title: string;
  readonly body: Html;
} {
  const { title, many, key, list } = KINDS[kind];
  const body = html`${heading(title, {
      lead: `Un archivo CSV o XLSX, con los nombres de las columnas en la primera fila.`,
      actions: [
        html`<a class="button button-plain" href="${importPath(kind)}.csv" download>Descargar la plantilla</a>`,
      ],
    })}
    <form
      class="form"
      method="post"
      action="${importPath(kind)}?key=${form.key}"
      enctype="multipart/form-data"
      novalidate
      data-once
    >
      ${errorSummary({ form, labels: LABELS })}
      <div class="card stack">
        <div class="field">
          <label class="label" for="file">Archivo</label>
          <input
            type="file"
            id="file"
            name="file"
            accept=".csv,.xlsx"
            required
            aria-describedby="file-hint${form.errors.has('file') ? ' file-error' : ''}"
            ${form.errors.has('file') ? html`aria-invalid="true"` : null}
          />
          <p class="hint" id="file-hint">
            Hasta 5 MB y ${MAX_IMPORT_ROWS.toLocaleString('es-MX')} filas. De un XLSX se lee la primera hoja.
          </p>
          ${form.errors.has('file') ? html`<p class="error" id="file-error">${form.errors.get('file') ?? ''}</p>` : null}
        </div>
        ${duplicates(form, key)}
      </div>
      <div class="form-actions">
        <button type="submit" class="button button-main" name="dryRun" value="true">Revisar sin guardar</button>
        <button type="submit" class="button button-plain" name="dryRun" value="false">Importar</button>
        <a class="button button-quiet" href="${list}">Cancelar</a>
      </div>
    </form>
    ${columns(kind, many)}`;
  return { title, body };
}

function duplicates(form: FormState, key: string): Html {
  const chosen = valueOf(form, 'onDuplicate') === 'skip' ? 'skip' : 'error';
  const option = (value: string, label: string): Html =>
    html`<label class="check">
      <input type="radio" name="onDuplicate" value="${value}" ${value === chosen ? html`checked` : null} />
      <span>${label}</span>
    </label>`;
  return html`<fieldset class="field">
    <legend>Si una fila ya existe (${key})</legend>
    ${option('error', 'Avisar y no guardar nada')} ${option('skip', 'Omitir esa fila y guardar las demás')}
  </fieldset>`;
}

const columns = (kind: ImportKind, many: string): Html =>
  html`<section class="stack" aria-labelledby="columnas">
    <h2 id="columnas">Columnas</h2>
    <p class="soft">
      En cualquier orden, en español o inglés; mayúsculas y acentos no importan. Las que no están en esta lista se
      ignoran.
    </p>
    ${table(
      `Columnas de un archivo de ${many}`,
      [{ label: 'Columna' }, { label: 'Obligatoria' }, { label: 'También se reconoce como' }],
      IMPORT_COLUMNS[kind].map(({ headers: [first, ...others], isRequired }) => ({
        cells: [first, isRequired ? 'Sí' : 'No', others.join(', ')],
      })),
    )}
  </section>`;
