import { ATTACHMENT_TYPE_NAMES, MAX_ATTACHMENTS } from '../../domain/attachments.ts';
import { formatSize } from '../../domain/format.ts';
import { type Html, html } from '../../domain/html.ts';
import { can } from '../../domain/permissions.ts';
import { hasFeature } from '../../domain/plans.ts';
import { actionForm, formElement } from '../forms/form.ts';
import type { QuoteDetailView } from './detail-page.ts';
import { quotePath } from './quote-frame.ts';
import type { QuoteDetail } from './view.ts';

const LABELS = { file: 'Archivo' };

/** The files that the client gets with the quote. */
export function attachmentsCard({ quote, reader, formOf }: QuoteDetailView): Html {
  const isOpen = can(reader.role, 'quotes:create') && canChange(quote, hasFeature(reader.plan, 'client_portal'));
  const form = formOf('upload');
  const isFull = quote.attachments.length >= MAX_ATTACHMENTS.count;
  return html`<section class="card" aria-labelledby="archivos">
    <h2 id="archivos">Archivos adjuntos</h2>
    ${
      quote.attachments.length === 0
        ? html`<p class="soft">Sin archivos.</p>`
        : html`<ul class="file-list">
            ${quote.attachments.map(
              ({ id, name, contentType, sizeBytes }) =>
                html`<li>
                  <span>
                    <a href="${quotePath(quote, `attachments/${id}`)}">${name}</a>
                    <span class="sub">${typeName(contentType)}, ${formatSize(sizeBytes, 'es-MX')}</span>
                  </span>
                  ${
                    isOpen
                      ? actionForm({
                          form: formOf('remove-attachment'),
                          action: quotePath(quote, 'remove-attachment'),
                          submit: html`Quitar<span class="visually-hidden"> el archivo ${name}</span>`,
                          style: 'button-quiet',
                          body: html`<input type="hidden" name="attachmentId" value="${id}" />`,
                        })
                      : null
                  }
                </li>`,
            )}
          </ul>`
    }
    ${
      isOpen && !isFull
        ? formElement({
            form,
            action: quotePath(quote, 'upload'),
            labels: LABELS,
            submit: 'Adjuntar',
            isUpload: true,
            body: html`<div class="field">
              <label class="label" for="file">Adjuntar un archivo</label>
              <p class="hint" id="file-hint">PDF, PNG o JPG, hasta 5 MB.</p>
              <input
                type="file"
                id="file"
                name="file"
                accept=".pdf,.png,.jpg,.jpeg"
                aria-describedby="file-hint"
                required
              />
            </div>`,
          })
        : null
    }
    ${isFull && isOpen ? html`<p class="hint">Ya tiene ${MAX_ATTACHMENTS.count} archivos, el máximo.</p>` : null}
    ${quote.status === 'SENT' && !isOpen ? html`<p class="hint">Para cambiar los archivos de una cotización enviada, revísela.</p>` : null}
  </section>`;
}

/** A client with a page sees the files of a sent quote, which change by a revision only. */
const canChange = ({ status }: QuoteDetail, isOnPage: boolean): boolean =>
  status === 'GENERATED' || (status === 'SENT' && !isOnPage);

const typeName = (contentType: string): string =>
  (ATTACHMENT_TYPE_NAMES as Readonly<Record<string, string>>)[contentType] ?? contentType;
