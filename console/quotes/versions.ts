import { formatMoney } from '../../domain/format.ts';
import { type Html, html } from '../../domain/html.ts';
import { day, moment } from '../figures.ts';
import { listUrl } from '../pagination.ts';
import { emptyState } from '../empty-state.ts';
import { quoteDocument } from './document.ts';
import { quoteFrame, quotePath, type Reader } from './quote-frame.ts';
import type { Change, QuoteContent, QuoteDetail } from './view.ts';

interface VersionsView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  /** The newest revisions. */
  readonly revisions: readonly Change[];
}

/** The versions of a quote, newest first. */
export function versionsPage({ quote, reader, revisions }: VersionsView) {
  const { timeZone } = reader;
  const madeBy = new Map(revisions.map((change) => [change.version, change]));
  const rows = Array.from({ length: Math.min(quote.version, MAX_SHOWN) }, (_, index) => quote.version - index).map(
    (version) => {
      const made = madeBy.get(version);
      const isCurrent = version === quote.version;
      return html`<li>
        <p>
          <a href="${isCurrent ? quotePath(quote) : quotePath(quote, `versions/${version}`)}">Versión ${version}</a>
          ${isCurrent ? html`<span class="chip chip-info">Actual</span>` : null}
        </p>
        <p class="soft">
          ${
            version === 1
              ? html`${moment(quote.createdAt, timeZone)} · ${quote.user.name}`
              : made
                ? html`${moment(made.at, timeZone)}${made.by.name === null ? null : html` · ${made.by.name}`}`
                : null
          }
        </p>
      </li>`;
    },
  );
  const content =
    quote.version === 1
      ? emptyState({
          title: 'Una sola versión',
          text: 'Cuando revise una cotización, aquí queda lo que decía antes, con fecha y autor.',
        })
      : html`<section class="card" aria-label="Versiones">
          <ol class="timeline">
            ${rows}
          </ol>
        </section>`;
  return quoteFrame({ quote, reader, page: 'versions', name: 'Versiones', content });
}

const MAX_SHOWN = 200;

interface VersionView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly version: {
    readonly version: number;
    readonly snapshot: QuoteContent;
    readonly createdBy: string;
    readonly createdAt: string;
  };
  readonly linesPage: number;
}

/** An earlier version as it was until it was replaced. */
export function versionPage({ quote, reader, version, linesPage }: VersionView) {
  const { snapshot, version: number, createdBy, createdAt } = version;
  const path = quotePath(quote, `versions/${number}`);
  const link = (to: number, label: string) =>
    to < 1 || to > quote.version
      ? null
      : html`<a
          class="button button-plain"
          href="${to === quote.version ? quotePath(quote) : quotePath(quote, `versions/${to}`)}"
          >${label}</a
        >`;
  const content = html`<p class="notice notice-warn">
      ${createdBy} reemplazó esta versión el ${day(createdAt, reader.timeZone)}. Su total era
      ${formatMoney(snapshot.total, snapshot.currency, 'es-MX')} y valía hasta el
      ${day(snapshot.expiresAt, reader.timeZone)}.
    </p>
    ${quoteDocument({
      content: snapshot,
      linesPage,
      linesUrl: (page) => listUrl(path, { lines: page }),
      title: `Lo que decía la versión ${number}`,
    })}
    ${internalNotes(snapshot)}
    <nav class="pagination" aria-label="Otras versiones">
      ${link(number - 1, 'Versión anterior')} ${link(number + 1, 'Versión siguiente')}
    </nav>`;
  return quoteFrame({ quote, reader, page: 'versions', name: `Versión ${number}`, content });
}

export const internalNotes = ({ internalNotes: text }: QuoteContent): Html | null =>
  text
    ? html`<section class="card" aria-labelledby="internas">
        <h2 id="internas">Notas internas</h2>
        <p class="multiline">${text}</p>
        <p class="hint">Su cliente no las ve.</p>
      </section>`
    : null;
