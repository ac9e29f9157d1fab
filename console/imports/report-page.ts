import { type Html, html } from '../../domain/html.ts';
import { type ImportKind, type ImportProblem, type ImportStatus, MAX_IMPORT_PROBLEMS } from '../../domain/imports.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { moment } from '../figures.ts';
import { heading } from '../layout.ts';
import { table } from '../tables.ts';
import { counted, importPath, KINDS } from './words.ts';

interface ImportReport {
  readonly id: string;
  readonly kind: ImportKind;
  readonly status: ImportStatus;
  readonly dryRun: boolean;
  readonly total: number;
  readonly done: number;
  readonly created: number;
  readonly skipped: number;
  readonly errors: readonly ImportProblem[];
  readonly createdAt: string;
}

interface ImportReportView {
  readonly report: ImportReport;
  /** Columns of the file that were ignored; known right after the upload. */
  readonly ignored: readonly string[];
  readonly timeZone: TimeZone;
}

/** How an import goes, and its result with the errors by row. */
export function importReportPage(view: ImportReportView): { readonly title: string; readonly body: Html } {
  const { report, ignored, timeZone } = view;
  const title = titleOf(report);
  const body = html`${heading(title, { lead: html`${moment(report.createdAt, timeZone)}` })}
    <div
      id="informe"
      class="stack"
      aria-live="polite"
      ${
        report.status === 'RUNNING'
          ? html`hx-get="/app/imports/${report.id}" hx-trigger="every 2s" hx-select="#informe" hx-swap="outerHTML"`
          : null
      }
    >
      ${result(report)} ${ignoredColumns(ignored)} ${problems(report)} ${next(report)}
    </div>`;
  return { title, body };
}

const titleOf = ({ kind, dryRun }: ImportReport): string =>
  dryRun ? `Revisión de ${KINDS[kind].many}` : `Importación de ${KINDS[kind].many}`;

function result(report: ImportReport): Html {
  const { status, dryRun, total, done, skipped, errors } = report;
  if (status === 'RUNNING')
    return html`<section class="card stack" aria-labelledby="avance">
      <h2 id="avance">En curso</h2>
      <progress class="progress" max="${total}" value="${done}" aria-labelledby="avance"></progress>
      <p class="soft">
        ${done.toLocaleString('es-MX')} de ${total.toLocaleString('es-MX')} filas. Puede cerrar esta página.
      </p>
      <p><a href="/app/imports/${report.id}">Actualizar</a></p>
    </section>`;
  const omitted = skipped === 0 ? null : html`<p>${omittedText(skipped)}</p>`;
  if (status === 'FAILED')
    return html`<section class="notice notice-bad" aria-labelledby="resultado">
      <h2 id="resultado">No se guardó nada</h2>
      <p>
        ${
          errors.length >= MAX_IMPORT_PROBLEMS
            ? `El archivo tiene muchos errores; estos son los primeros ${MAX_IMPORT_PROBLEMS}.`
            : errors.length === 1
              ? 'Corrija el error en su archivo y súbalo otra vez.'
              : `Corrija los ${errors.length} errores en su archivo y súbalo otra vez.`
        }
      </p>
    </section>`;
  return html`<section class="notice notice-done" aria-labelledby="resultado">
    <h2 id="resultado">${dryRun ? 'El archivo está bien' : 'Importación terminada'}</h2>
    <p>${createdText(report)}</p>
    ${omitted}
  </section>`;
}

const omittedText = (count: number): string =>
  count === 1 ? '1 fila ya existía y se omitió.' : `${count.toLocaleString('es-MX')} filas ya existían y se omitieron.`;

function createdText({ kind, dryRun, created }: ImportReport): string {
  const what = counted(created, kind);
  if (dryRun) return `Se ${created === 1 ? 'crearía' : 'crearían'} ${what}. Todavía no se guardó nada.`;
  return `Se ${created === 1 ? 'creó' : 'crearon'} ${what}.`;
}

const ignoredColumns = (ignored: readonly string[]): Html | null =>
  ignored.length === 0
    ? null
    : html`<section class="notice notice-warn" aria-labelledby="ignoradas">
        <h2 id="ignoradas">Columnas que no se leyeron</h2>
        <p>${ignored.join(', ')}. Si las necesita, cambie su nombre por uno de la lista.</p>
      </section>`;

function problems({ errors }: ImportReport): Html | null {
  if (errors.length === 0) return null;
  return html`<section class="stack" aria-labelledby="errores">
    <h2 id="errores">Errores por fila</h2>
    ${table(
      'Errores por fila',
      [{ label: 'Fila' }, { label: 'Columna' }, { label: 'Qué corregir' }],
      errors.map(({ row, column, message }) => ({
        cells: [`Fila ${row}`, column ?? 'Toda la fila', sentence(message)],
      })),
    )}
  </section>`;
}

const sentence = (message: string): string => message.charAt(0).toLocaleUpperCase('es-MX') + message.slice(1);

function next({ kind, status, dryRun }: ImportReport): Html | null {
  if (status === 'RUNNING') return null;
  const again = status === 'FAILED' ? 'Subir el archivo corregido' : 'Subir el archivo para importarlo';
  const list = html`<a class="button button-plain" href="${KINDS[kind].list}">Ver los ${KINDS[kind].many}</a>`;
  return html`<div class="actions">
    ${
      status === 'FAILED' || dryRun ? html`<a class="button button-main" href="${importPath(kind)}">${again}</a>` : null
    }
    ${list}
  </div>`;
}
