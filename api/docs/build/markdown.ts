import { posix } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { Html } from '../../../domain/html.ts';
import { type CodeBlock, codeBlock, isTabbed, tabs } from './code-block.ts';
import { slugs } from './slugs.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A heading with the text up to the next one, for the search. */
export interface Passage {
  readonly heading: Heading | undefined;
  readonly text: string;
}

export interface Rendered {
  readonly body: Html;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

/** The address of a link or picture as it was written, and undefined for one that leads nowhere. */
export type Resolve = (target: string) => string | undefined;

const md = new MarkdownIt({ html: false, linkify: true });
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

md.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>';
md.renderer.rules['table_close'] = () => '</table></div>';
md.renderer.rules['heading_close'] = (tokens, i) => {
  const { tag, meta } = tokens[i] ?? {};
  const { id, text } = (meta ?? {}) as Partial<Heading>;
  return id === undefined || tag === 'h1'
    ? `</${tag}>`
    : ` <a class="anchor" href="#${id}" aria-label="Link to “${md.utils.escapeHtml(text ?? '')}”">#</a></${tag}>`;
};

/** Renders a document. Links to nowhere become their text. */
export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  // Markers of generated parts.
  const tokens = md.parse(markdown.replace(/^<!--.*-->$/gm, ''), {});
  emptyHeadersToCells(tokens);
  const headings = nameHeadings(tokens);
  for (const { children } of tokens) if (children) resolveLinks(children, resolve);
  const passages = passagesOf(tokens, headings);
  return { body: new Html(md.renderer.render(joinCode(tokens), md.options, {})), headings, passages };
}

/** A description of the OpenAPI document, which has no headings of its own. */
export const renderText = (markdown: string): Html => new Html(md.render(markdown));

export const renderLine = (markdown: string): Html => new Html(md.renderInline(markdown));

/** A column without a name has no header: an empty one is announced as nothing. */
function emptyHeadersToCells(tokens: readonly Token[]): void {
  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'th_open' || tokens[i + 1]?.content !== '') continue;
    for (const each of [token, tokens[i + 2]]) if (each) each.tag = 'td';
  }
}

function nameHeadings(tokens: readonly Token[]): readonly Heading[] {
  const slug = slugs();
  return tokens.flatMap((token, i) => {
    if (token.type !== 'heading_open') return [];
    const text = textOf(tokens[i + 1]);
    const heading = { level: Number(token.tag.slice(1)), id: slug(text), text };
    token.attrSet('id', heading.id);
    const closing = tokens[i + 2];
    if (closing) closing.meta = heading;
    return [heading];
  });
}

function resolveLinks(children: Token[], resolve: Resolve): void {
  const open: boolean[] = [];
  for (const token of children) {
    if (token.type === 'image') token.attrSet('src', resolve(String(token.attrGet('src'))) ?? '');
    if (token.type === 'link_open') {
      const target = resolve(String(token.attrGet('href')));
      if (target !== undefined) token.attrSet('href', target);
      else {
        token.tag = 'span';
        token.attrs = null;
      }
      open.push(target !== undefined);
    }
    if (token.type === 'link_close' && open.pop() === false) token.tag = 'span';
  }
}

/** The text of an inline token, without its markup. */
const textOf = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('');

function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): readonly Passage[] {
  const found: { heading: Heading | undefined; parts: string[] }[] = [{ heading: undefined, parts: [] }];
  let next = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      found.push({ heading: headings[next], parts: [] });
      next += 1;
    } else if (token.type === 'inline' && tokens[i - 1]?.type !== 'heading_open')
      found.at(-1)?.parts.push(textOf(token));
  }
  return found
    .map(({ heading, parts }) => ({ heading, text: parts.join(' ') }))
    .filter(({ heading, text }) => heading !== undefined || text !== '');
}

/** Replaces code blocks by their markup: several that follow each other become tabs. */
function joinCode(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  let examples = 0;
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.type !== 'fence') {
      joined.push(token);
      continue;
    }
    const run = fencesFrom(tokens, i);
    const isExample = isTabbed(run);
    token.type = 'html_block';
    token.content = String(isExample ? tabs(run, `example-${(examples += 1)}`) : codeBlock(blockOf(token)));
    joined.push(token);
    if (isExample) i += run.length - 1;
  }
  return joined;
}

/** The longest run of fences with different languages. */
function fencesFrom(tokens: readonly Token[], start: number): readonly CodeBlock[] {
  const run: CodeBlock[] = [];
  for (let i = start; tokens[i]?.type === 'fence'; i += 1) {
    const block = blockOf(tokens[i]);
    if (!isTabbed([...run, block]) && run.length > 0) break;
    run.push(block);
  }
  return run;
}

const blockOf = (token: Token | undefined): CodeBlock => ({
  language: /^\w*/.exec(token?.info ?? '')?.[0] ?? '',
  text: token?.content.trimEnd() ?? '',
});

/** Resolves addresses relative to a document of docs/ into addresses of the site. */
export function resolver(from: string, site: ReadonlyMap<string, string>, problems: string[]): Resolve {
  return (target) => {
    if (/^(https?|mailto):/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? from : posix.normalize(posix.join(posix.dirname(from), path));
    const address = path.startsWith('/') ? path : site.get(file);
    if (address === undefined) {
      problems.push(`docs/${from}: ${target} is not served`);
      return undefined;
    }
    const page = path === '' ? '' : address;
    return anchor === undefined ? page : `${page}#${anchor}`;
  };
}
