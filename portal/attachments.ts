import { ATTACHMENT_TYPE_NAMES } from '../domain/attachments.ts';
import { formatSize } from '../domain/format.ts';
import { type Html, html } from '../domain/html.ts';
import { textsOf } from '../domain/texts/texts.ts';
import type { QuoteView } from './view.ts';

/** The files of the quote as links, which need no script. */
export function attachmentList({ attachments, path, drawing: { locale } }: QuoteView): Html | null {
  if (attachments.length === 0) return null;
  return html`<section class="attachments">
    <h3>${textsOf(locale).quote.attachments}</h3>
    <ul>
      ${attachments.map(
        ({ id, name, contentType, sizeBytes }) =>
          html`<li>
            <a href="${path}/attachments/${id}" download="${name}"><bdi>${name}</bdi></a>
            <span class="soft">(${ATTACHMENT_TYPE_NAMES[contentType]}, ${formatSize(sizeBytes, locale)})</span>
          </li>`,
      )}
    </ul>
  </section>`;
}
