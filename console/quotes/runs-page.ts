import { html } from '../../domain/html.ts';
import { emptyState } from '../empty-state.ts';
import { moment } from '../figures.ts';
import { table } from '../tables.ts';
import { quoteFrame, type Reader } from './quote-frame.ts';
import type { QuoteDetail } from './view.ts';

interface RunsView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly runs: readonly {
    readonly workflowId: string;
    readonly type: string;
    readonly status: string;
    readonly startTime: string;
    readonly closeTime: string | null;
    readonly url: string | null;
  }[];
}

const nameOf = (type: string): string => TYPE_NAMES[type] ?? type;

const STATUS_NAMES: Readonly<Record<string, string>> = {
  RUNNING: 'En curso',
  COMPLETED: 'Terminada',
  FAILED: 'Falló',
  CANCELLED: 'Cancelada',
  CANCELED: 'Cancelada',
  TERMINATED: 'Detenida',
  CONTINUED_AS_NEW: 'Continuada',
  TIMED_OUT: 'Venció',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  quoteLifecycle: 'Seguimiento de la cotización',
  expiryReminder: 'Aviso de vencimiento',
  remind: 'Recordatorio',
  runAutomation: 'Automatización',
  sendMail: 'Correo',
};

/** The workflow executions of the quote, for support. */
export function runsPage({ quote, reader, runs }: RunsView) {
  const content =
    runs.length === 0
      ? emptyState({
          title: 'Sin ejecuciones',
          text: 'El seguimiento de esta cotización ya no se conserva.',
        })
      : html`<p class="soft">
            El trabajo en segundo plano de la cotización: envíos, vigencia, recordatorios y automatizaciones.
          </p>
          ${table(
            'Ejecuciones',
            [{ label: 'Ejecución' }, { label: 'Estado' }, { label: 'Inicio' }, { label: 'Fin', isMinor: true }],
            runs.map(({ workflowId, type, status, startTime, closeTime, url }) => ({
              cells: [
                html`${url === null ? nameOf(type) : html`<a href="${url}" rel="noreferrer">${nameOf(type)}</a>`}<span
                    class="sub"
                    >${workflowId}</span
                  >`,
                STATUS_NAMES[status] ?? status,
                moment(startTime, reader.timeZone),
                closeTime === null ? '—' : moment(closeTime, reader.timeZone),
              ],
            })),
          )}`;
  return quoteFrame({ quote, reader, page: 'runs', name: 'Ejecuciones', content });
}
