/**
 * HTML from templates in which every value is escaped, so that text cannot become markup. Values are safe in an element
 * or in a double-quoted attribute, the only two places where mails and pages put any.
 */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup made by html`…`: the only value that a template inserts unescaped. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

type Part = string | number | Html | readonly Html[] | null;

/** html`<b>${name}</b>`: escapes text, keeps Html, joins lists, and omits null. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((markup, string, i) => markup + render(parts[i - 1] ?? null) + string));
}

function render(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
