import { type Html, html } from '../domain/html.ts';

/** The address of a list with its filters; absent and empty ones are left out. */
export function listUrl(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Links of a list that goes on by cursor: to its start and to the next page. */
export function pagination({ first, next }: { first: string | undefined; next: string | undefined }): Html | null {
  if (first === undefined && next === undefined) return null;
  return html`<nav class="pagination" aria-label="Páginas">
    ${first === undefined ? null : html`<a class="button button-plain" href="${first}">Volver al principio</a>`}
    ${next === undefined ? null : html`<a class="button button-plain" href="${next}" rel="next">Página siguiente</a>`}
  </nav>`;
}
