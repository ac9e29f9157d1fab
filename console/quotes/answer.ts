import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { moment, momentWithZone, money } from '../figures.ts';
import { quoteFrame, quotePath, type Reader } from './quote-frame.ts';
import type { QuoteDetail } from './view.ts';

export interface Signature {
  /** A data URL of an image. */
  readonly data: string;
  readonly signerName: string;
  readonly signerEmail: string;
  readonly signedAt: string;
}

/** What the client decided on its page. */
export function answerCard(quote: QuoteDetail, signature: Signature | null, timeZone: TimeZone): Html | null {
  const { answer } = quote;
  if (!answer) return null;
  const isAccepted = answer.outcome === 'ACCEPTED';
  return html`<section class="card answer answer-${isAccepted ? 'good' : 'bad'}" aria-labelledby="respuesta">
    <h2 id="respuesta">${isAccepted ? 'Su cliente la aceptó' : 'Su cliente la rechazó'}</h2>
    <p class="soft">${moment(answer.at, timeZone)} · versión ${answer.version}</p>
    ${
      isAccepted
        ? html`<p>
            <strong>${answer.signerName}</strong>${answer.signerEmail === null ? null : html` (${answer.signerEmail})`}
          </p>`
        : html`<p class="multiline">${answer.reason ?? 'No dio un motivo.'}</p>`
    }
    ${signature ? signatureImage(signature) : null}
    ${isAccepted ? html`<p><a href="${quotePath(quote, 'evidence')}">Ver la constancia de la firma</a></p>` : null}
  </section>`;
}

const signatureImage = ({ data, signerName }: Signature): Html =>
  html`<div class="signature"><img src="${data}" alt="Firma de ${signerName}" /></div>`;

interface EvidenceView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly evidence: Signature & {
    readonly version: number;
    readonly consentText: string;
    readonly ip: string;
    readonly userAgent: string;
    readonly snapshotSha256: string;
    readonly pdfSha256: string;
    readonly pdfUrl: string;
    readonly shownPdfUrl: string | null;
    readonly selection: {
      readonly selected: { readonly items: readonly { readonly productName: string }[]; readonly total: string };
    } | null;
  };
}

/** The evidence of the acceptance, for somebody who has to prove it. */
export function evidencePage({ quote, reader, evidence }: EvidenceView) {
  const { timeZone } = reader;
  const row = (label: string, value: string | Html) =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const content = html`<section class="card" aria-label="Constancia">
    ${signatureImage(evidence)}
    <dl class="pairs wide-pairs">
      ${row('Firmó', evidence.signerName)} ${row('Correo', evidence.signerEmail)}
      ${row('Cuándo', momentWithZone(evidence.signedAt, timeZone))} ${row('Versión', String(evidence.version))}
      ${row('Aceptó este texto', evidence.consentText)}
      ${
        evidence.selection
          ? row(
              'Eligió',
              `${evidence.selection.selected.items.map(({ productName }) => productName).join(', ') || 'ninguna opción'}: ${money(
                evidence.selection.selected.total,
                quote.currency,
              )}`,
            )
          : null
      }
      ${row('Dirección IP', evidence.ip)} ${row('Navegador', evidence.userAgent)}
      ${row('SHA-256 de lo firmado', html`<code>${evidence.snapshotSha256}</code>`)}
      ${row('SHA-256 del documento', html`<code>${evidence.pdfSha256}</code>`)}
    </dl>
    <div class="card-actions">
      <a class="button button-plain" href="${quotePath(quote, 'pdf')}">Documento firmado</a>
      ${evidence.shownPdfUrl === null ? null : html`<a class="button button-plain" href="${evidence.shownPdfUrl}">Documento que vio antes de firmar</a>`}
      <a class="button button-plain" href="${quotePath(quote, 'evidence.json')}">Constancia como archivo</a>
    </div>
  </section>`;
  return quoteFrame({ quote, reader, page: 'evidence', name: 'Constancia de la firma', content });
}
