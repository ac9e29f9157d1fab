import { type Html, html } from '../domain/html.ts';

/** A list without rows: what will be here, and the action that makes the first one. */
export function emptyState({
  title,
  text,
  action,
}: {
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly href: string };
}): Html {
  return html`<div class="empty">
    <h2>${title}</h2>
    <p>${text}</p>
    ${action ? html`<a class="button button-main" href="${action.href}">${action.label}</a>` : null}
  </div>`;
}
