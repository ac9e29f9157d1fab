import { formatUntil } from '../../domain/format.ts';
import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { moment } from '../figures.ts';
import { listUrl, pagination } from '../pagination.ts';
import { quoteFrame, quotePath, type Reader } from './quote-frame.ts';
import { STATUSES } from './status.ts';
import type { Change, QuoteDetail } from './view.ts';

interface HistoryView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly changes: readonly Change[];
  readonly page: number;
  readonly totalPages: number;
}

/** Everything that happened to the quote, newest first. */
export function historyPage({ quote, reader, changes, page, totalPages }: HistoryView) {
  const path = quotePath(quote, 'history');
  const content = html`<section class="card" aria-label="Historial">${timeline(changes, reader.timeZone)}</section>
    ${pagination({
      first: page > 1 ? path : undefined,
      next: page < totalPages ? listUrl(path, { page: page + 1 }) : undefined,
    })}`;
  return quoteFrame({ quote, reader, page: 'history', name: 'Historial', content });
}

export const timeline = (changes: readonly Change[], timeZone: TimeZone): Html =>
  html`<ol class="timeline">
    ${changes.map(
      (change) =>
        html`<li>
          <p>${sentenceOf(change, timeZone)}</p>
          <p class="soft">${moment(change.at, timeZone)}${byOf(change)}</p>
        </li>`,
    )}
  </ol>`;

function byOf({ by }: Change): string {
  if (by.name !== null) return ` · ${by.name}`;
  return { client: ' · su cliente', service: ' · automático', user: '' }[by.kind];
}

function sentenceOf({ type, to, version, expiresAt, name }: Change, timeZone: TimeZone): string {
  switch (type) {
    case 'created':
      return 'Se creó';
    case 'revised':
      return `Se hizo la versión ${version ?? ''}`;
    case 'shared':
      return version === null ? 'Se envió' : `Se envió la versión ${version}`;
    case 'status_changed':
      return to === null ? 'Cambió el estado' : `Pasó a «${STATUSES[to].label}»`;
    case 'expiry_changed':
      return expiresAt === null ? 'Cambió la vigencia' : `Vigente hasta el ${until(expiresAt, timeZone)}`;
    case 'label_added':
      return `Se agregó la etiqueta «${name ?? ''}»`;
    case 'label_removed':
      return `Se quitó la etiqueta «${name ?? ''}»`;
    case 'attachment_added':
      return `Se adjuntó ${name ?? 'un archivo'}`;
    case 'attachment_removed':
      return `Se quitó el archivo ${name ?? ''}`;
    case 'link_rotated':
      return 'Se cambió el enlace de su cliente';
    case 'message_sent':
      return 'Se escribió a su cliente';
    case 'changes_requested':
      return 'Su cliente pidió cambios';
    default:
      return 'Se modificó';
  }
}

const until = (expiresAt: string, timeZone: TimeZone): string => formatUntil(expiresAt, { timeZone, locale: 'es-MX' });
