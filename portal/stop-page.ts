import { html } from '../domain/html.ts';
import type { Texts } from '../domain/texts/texts.ts';
import { textsOf } from '../domain/texts/texts.ts';
import { layout } from './layout.ts';
import type { Frame } from './view.ts';

export interface StopView extends Frame {
  /** `/p/<token>` */
  readonly path: string;
  readonly query: string;
  readonly label: string;
  readonly businessName: string;
  readonly isStopped: boolean;
}

/** The page that stops automatic mails about a quote: a button, or that it is done. */
export function stopPage(view: StopView): string {
  const { path, query, label, businessName, isStopped } = view;
  const texts: Texts['page']['stop'] = textsOf(view.locale).page.stop;
  const title = isStopped ? texts.done : texts.title;
  const body = html`<main class="wrap message">
    <div class="card">
      <div class="message-mark" aria-hidden="true"></div>
      <h1>${title}</h1>
      <p>${isStopped ? texts.doneText(businessName) : texts.text(label, businessName)}</p>
      ${
        isStopped
          ? null
          : html`<form method="post" action="${path}/stop-reminders${query}" data-plain>
              <button type="submit" class="button button-main">${texts.button}</button>
            </form>`
      }
      <p class="stop-back"><a href="${path}${query}">${texts.back}</a></p>
    </div>
  </main>`;
  return layout(view, title, body);
}
