import { type Html, html } from '../domain/html.ts';
import { textsOf } from '../domain/texts/texts.ts';
import { error, field, invalid, note, sendingTexts, summary } from './respond.ts';
import type { QuoteView } from './view.ts';

/** HTML counts UTF-16 units, the limit code points, of which one has at most two. The service checks the limit. */
const MESSAGE_UNITS = 4_000;

/** The form with which a client asks for changes, closed until it is wanted. */
export function changeRequestForm(view: QuoteView): Html {
  const { path, query, drawing, form } = view;
  const { optional } = textsOf(view.locale).page.form;
  const texts = textsOf(view.locale).page.changes;
  const message = form.errors.changeMessage;
  const isOpen = form.open === 'changes';
  return html`<details class="changes" id="cambios" ${isOpen ? html`open` : null}>
    <summary class="button button-plain">${texts.title}</summary>
    <form method="post" action="${path}/request-changes${query}" ${sendingTexts(view)} data-changes>
      ${isOpen ? summary(view) : null}
      <input type="hidden" name="version" value="${drawing.version}" />
      <div class="field">
        <label for="changeMessage">${texts.message}</label>
        <p class="hint" id="changeMessage-hint">${texts.hint}</p>
        <textarea
          id="changeMessage"
          name="changeMessage"
          rows="5"
          maxlength="${MESSAGE_UNITS}"
          required
          aria-describedby="changeMessage-hint changeMessage-error"
          ${invalid(message)}
        >
${form.values.changeMessage ?? ''}</textarea>
        ${error('changeMessage', message)}
      </div>
      ${field(view, 'changeName', {
        label: html`${texts.name} <span class="soft">${optional}</span>`,
        input: html`type="text" autocomplete="name" maxlength="200" value="${form.values.changeName ?? ''}"`,
      })}
      ${field(view, 'changeEmail', {
        label: html`${texts.email} <span class="soft">${optional}</span>`,
        hint: texts.emailHint,
        input: html`type="email" autocomplete="email" inputmode="email" maxlength="254"
        value="${form.values.changeEmail ?? ''}"`,
      })}
      ${note}
      <button type="submit" class="button button-main">${texts.send}</button>
    </form>
  </details>`;
}
