import { Html, html } from '../../../domain/html.ts';

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** Instead of the name of the language. */
  readonly title?: string;
}

/** The part of highlight.js that is used. Its own types would add the browser's globals to all code. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

const GRAMMARS = ['bash', 'diff', 'go', 'javascript', 'json', 'php', 'python', 'sql', 'typescript', 'xml', 'yaml'];
// A computed name, because the compiler would read the types of a literal one.
const load = async (file: string): Promise<unknown> =>
  ((await import(`highlight.js/lib/${file}`)) as { readonly default: unknown }).default;
const hljs = (await load('core')) as Highlighter;
await Promise.all(GRAMMARS.map(async (name) => hljs.registerLanguage(name, await load(`languages/${name}`))));

/** Languages of a tabbed example, in the order that authors use, with the names of their tabs. */
const TABS: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
};
const NAMES: Readonly<Record<string, string>> = {
  ...TABS,
  sh: 'Shell',
  js: 'JavaScript',
  json: 'JSON',
  sql: 'SQL',
  yaml: 'YAML',
  diff: 'Diff',
  http: 'HTTP',
};

/** Whether blocks that follow each other form one tabbed example. */
export const isTabbed = (blocks: readonly CodeBlock[]): boolean =>
  blocks.length > 1 &&
  new Set(blocks.map(({ language }) => language)).size === blocks.length &&
  blocks.every(({ language }) => language in TABS);

/**
 * Blocks of an example in several languages, of which radio buttons choose one: without JavaScript too, and by the
 * arrow keys.
 */
export const tabs = (blocks: readonly CodeBlock[], id: string): Html =>
  html`<fieldset class="tabs">
    <legend class="visually-hidden">Language of the example</legend>
    <div class="tab-names">
      ${blocks.map(
        ({ language }, i) =>
          html`<input
              type="radio"
              name="${id}"
              id="${id}-${language}"
              value="${language}"
              ${i === 0 ? html` checked` : null}
            /><label for="${id}-${language}">${TABS[language] ?? language}</label>`,
      )}
    </div>
    ${blocks.map((block) => codeBlock(block))}
  </fieldset>`;

export const codeBlock = ({ language, text, title }: CodeBlock): Html =>
  html`<figure class="code" data-language="${language}">
    <figcaption>${title ?? NAMES[language] ?? 'Text'}</figcaption>
    <pre tabindex="0"><code>${highlighted(language, text)}</code></pre>
  </figure> `;

function highlighted(language: string, text: string): Html | string {
  // The library escapes the text and adds only spans with classes.
  return hljs.getLanguage(language) ? new Html(hljs.highlight(text, { language }).value) : text;
}
