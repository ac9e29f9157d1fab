import { html } from '../domain/html.ts';
import { layout } from './layout.ts';
import type { Frame } from './view.ts';

/** Messages of pages without a quote. Unknown and replaced links get the same one. */
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
