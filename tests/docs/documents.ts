import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Parses the repository's Markdown: headings, links, blocks. */

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Block {
  readonly document: string;
  /** Of its first line, from 1. */
  readonly line: number;
  /** The nearest heading above it. */
  readonly heading: string;
  /** Whether only empty lines separate it from the block before it. */
  readonly continues: boolean;
  readonly language: string;
  /** What follows the language: "run", "body POST /api/quotes", … */
  readonly info: string;
  readonly text: string;
}

export interface Document {
  /** Relative to the root. */
  readonly path: string;
  /** Without its code blocks, whose text holds no links. */
  readonly prose: string;
  readonly blocks: readonly Block[];
}

/** Every Markdown file of the repository, untracked ones too. */
export function documents(): readonly Document[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  return files.map(read);
}

export const document = (path: string): Document => read(path);

function read(path: string): Document {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: (Omit<Block, 'document' | 'text'> & { fence: string; lines: string[] }) | undefined;
  let continues = false;
  let heading = '';
  for (const [i, line] of readFileSync(ROOT + path, 'utf8')
    // Titles and descriptions in front matter are for the renderer.
    .replace(/^---\n[\s\S]*?\n---\n/, (matter) => matter.replace(/.+/g, ''))
    .split('\n')
    .entries()) {
    const [, indent = '', fence = '', language = '', info = ''] = /^(\s*)(`{3,})(\w*) ?(.*)$/.exec(line) ?? [];
    if (open && fence === open.fence && language === '') {
      const { fence: _, lines, ...block } = open;
      blocks.push({ ...block, document: path, text: lines.join('\n') });
      open = undefined;
      continues = true;
    } else if (open) open.lines.push(line.slice(indent.length === 0 ? 0 : indent.length));
    else if (fence) open = { line: i + 2, heading, continues, fence, language, info, lines: [] };
    else {
      if (line.trim() !== '') continues = false;
      heading = /^#+ +(.+)$/.exec(line)?.[1] ?? heading;
      prose.push(line);
    }
  }
  if (open) throw new Error(`${path}:${open.line} is never closed`);
  return { path, prose: prose.join('\n'), blocks };
}

/** The anchors of its headings, as GitHub makes them. */
export function anchorsOf({ prose }: Document): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const base = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = base;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${base}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

export interface Link {
  readonly from: string;
  readonly target: string;
}

/** Links and pictures in the prose, not inside `code`. */
export function linksOf({ path, prose }: Document): readonly Link[] {
  const bare = prose.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  const inline = [...bare.matchAll(/\]\(([^()\s]+(?:\([^()]*\))?)(?: "[^"]*")?\)/g)].map(([, target = '']) => target);
  const tags = [...bare.matchAll(/<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"/g)].map(([, target = '']) => target);
  return [...inline, ...tags].map((target) => ({ from: path, target }));
}

/** Every address in the prose, in a link, in <…> or bare; not inside `code`. */
export function externalLinksOf(document: Document): readonly Link[] {
  const bare = document.prose.replace(/`[^`\n]*`/g, ' ');
  const loose = [...bare.matchAll(/(?:^|[\s<])((?:https?|mailto):[^\s<>)\]|]+)/gm)].map(([, target = '']) => target);
  const linked = linksOf(document).filter(({ target }) => /^[a-z]+:/i.test(target));
  return [...linked, ...loose.map((target) => ({ from: document.path, target }))];
}

/** The rows of the table with that first heading, cell by cell. */
export function tableOf({ prose, path }: Document, firstHeading: string): readonly (readonly string[])[] {
  const lines = prose.split('\n');
  const at = lines.findIndex((line) => cellsOf(line)[0] === firstHeading);
  if (at < 0) throw new Error(`${path} has no table that begins with ${firstHeading}`);
  const body = lines.slice(at + 2);
  const end = body.findIndex((line) => !line.startsWith('|'));
  return body.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

const cellsOf = (line: string): readonly string[] =>
  line.startsWith('|')
    ? line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|'))
    : [];

/** The texts in `code` of a cell or paragraph. */
export const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Blocks that are marked as run by the tests. */
export const isRun = ({ info }: Block): boolean => info === 'run';

/** Blocks of guides, which tests run without a mark. */
export const isGuideProgram = (block: Block): boolean =>
  block.document.startsWith('docs/guides/') && !startsScripts(block);

/** Whether a shell block only starts npm scripts. */
export const startsScripts = ({ text }: Block): boolean =>
  text
    .split('\n')
    .every((line) =>
      /^(#.*|(npm (ci|start|test|run|install|version)|git push)\b.*|npm ci && npm start.*|)$/.test(line.trim()),
    );

/** The commands of a document that are run, as one session, which prints its position to standard error. */
export const session = (path: string): string =>
  document(path)
    .blocks.filter((block) => block.language === 'sh' && (isRun(block) || isGuideProgram(block)))
    .map(({ line, text }) => `echo "── ${path}:${line}" >&2\n${text}`)
    .join('\n');
