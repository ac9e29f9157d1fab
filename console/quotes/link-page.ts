import { type Html, html } from '../../domain/html.ts';
import { can } from '../../domain/permissions.ts';
import { actionForm, errorSummary } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { quoteFrame, quotePath, type Reader } from './quote-frame.ts';
import type { QuoteDetail } from './view.ts';

interface LinkView {
  readonly quote: QuoteDetail;
  readonly reader: Reader;
  readonly url: string;
  readonly form: FormState;
  /** After the link was prepared for another channel; null for a client without a phone number. */
  readonly whatsappUrl?: string | null;
}

/** The address that the client opens. */
export function linkPage(view: LinkView) {
  const { quote, reader, url, form } = view;
  const canWrite = can(reader.role, 'quotes:create');
  const isDraft = quote.status === 'GENERATED';
  const canShare = !isDraft || can(reader.role, 'quotes:read_all');
  const content = html`${errorSummary({ form, labels: {} })}
    <section class="card" aria-labelledby="enlace">
      <h2 id="enlace">Página de su cliente</h2>
      ${isDraft ? html`<p class="soft">Abre en cuanto la cotización se envíe o se marque como enviada.</p>` : null}
      <div class="field">
        <label class="label" for="url">Enlace</label>
        <p class="hint" id="url-hint">Selecciónelo y cópielo. Quien lo tenga puede ver y responder la cotización.</p>
        <input type="url" id="url" value="${url}" readonly aria-describedby="url-hint" />
      </div>
      ${isDraft ? null : html`<p><a href="${url}" rel="noreferrer">Abrir la página</a></p>`}
    </section>
    ${canShare ? shareCard(view) : null}
    ${
      canWrite
        ? html`<section class="card" aria-labelledby="cambiar">
            <h2 id="cambiar">Cambiar el enlace</h2>
            <p class="soft">Si llegó a quien no debía. El enlace anterior deja de abrir y el nuevo no se envía solo.</p>
            ${actionForm({ form, action: quotePath(quote, 'rotate-link'), submit: 'Cambiar el enlace', style: 'button-danger' })}
          </section>`
        : null
    }`;
  return quoteFrame({ quote, reader, page: 'link', name: 'Enlace', content });
}

function shareCard({ quote, form, whatsappUrl }: LinkView): Html {
  return html`<section class="card" aria-labelledby="otro-medio">
    <h2 id="otro-medio">Enviarlo por otro medio</h2>
    ${
      whatsappUrl === undefined
        ? html`<p class="soft">
              Prepara el enlace para que usted lo mande por WhatsApp o por donde
              prefiera${quote.status === 'GENERATED' ? '; la cotización queda como enviada' : ''}. No se manda ningún
              correo.
            </p>
            ${actionForm({ form, action: quotePath(quote, 'share-link'), submit: 'Preparar el envío' })}`
        : html`<p role="status">El enlace está listo y la cotización quedó como enviada.</p>
            ${
              whatsappUrl === null
                ? html`<p class="soft">Su cliente no tiene un teléfono válido para WhatsApp: copie el enlace.</p>`
                : html`<p><a class="button button-main" href="${whatsappUrl}" rel="noreferrer">Abrir WhatsApp</a></p>`
            }`
    }
  </section>`;
}
