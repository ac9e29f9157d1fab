import { html } from '../domain/html.ts';
import { layout } from './layout.ts';
import type { Frame } from './view.ts';

/** What a page says when there is no quote to show. Unknown and withdrawn links read alike. */
export interface Message {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export function messagePage(frame: Frame, { title, paragraphs }: Message): string {
  const body = html`<main class="wrap message">
    <div class="card">
      <div class="message-mark" aria-hidden="true"></div>
      <h1>${title}</h1>
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
    </div>
  </main>`;
  return layout(frame, title, body);
}
