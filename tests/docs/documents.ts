import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Parses the repository's Markdown: headings, links, blocks. */

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Block {
  readonly document: string;
  /** Of its first line, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language: "run", "body POST /api/quotes", … */
  readonly info: string;
  readonly text: string;
}

export interface Document {
  /** From the root. */
  readonly path: string;
  /** Without its code blocks, which contain no links. */
  readonly prose: string;
  readonly blocks: readonly Block[];
}

/** Every Markdown file of the repository, including untracked ones. */
export function documents(): readonly Document[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  return files.map(read);
}

export const document = (path: string): Document => read(path);

function read(path: string): Document {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { line: number; fence: string; language: string; info: string; lines: string[] } | undefined;
  for (const [i, line] of readFileSync(ROOT + path, 'utf8')
    .split('\n')
    .entries()) {
    const [, indent = '', fence = '', language = '', info = ''] = /^(\s*)(`{3,})(\w*) ?(.*)$/.exec(line) ?? [];
    if (open && fence === open.fence && language === '') {
      blocks.push({
        document: path,
        line: open.line,
        language: open.language,
        info: open.info,
        text: open.lines.join('\n'),
      });
      open = undefined;
    } else if (open) open.lines.push(line.slice(indent.length === 0 ? 0 : indent.length));
    else if (fence) open = { line: i + 2, fence, language, info, lines: [] };
    else prose.push(line);
  }
  if (open) throw new Error(`${path}:${open.line} is never closed`);
  return { path, prose: prose.join('\n'), blocks };
}

/** The anchors of its headings, by GitHub's rules. */
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

/** Links and pictures in the prose, except inside `code`. */
export function linksOf({ path, prose }: Document): readonly Link[] {
  const bare = prose.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  const inline = [...bare.matchAll(/\]\(([^()\s]+(?:\([^()]*\))?)(?: "[^"]*")?\)/g)].map(([, target = '']) => target);
  const tags = [...bare.matchAll(/<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"/g)].map(([, target = '']) => target);
  return [...inline, ...tags].map((target) => ({ from: path, target }));
}

/** Every address in the prose, linked, in <…> or bare, except inside `code`. */
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

/** Whether the tests run the block. */
export const isRun = ({ info }: Block): boolean => info === 'run';

/** All commands of a document to run, as one session that prints its progress to standard error. */
export const session = (path: string): string =>
  document(path)
    .blocks.filter((block) => block.language === 'sh' && isRun(block))
    .map(({ line, text }) => `echo "── ${path}:${line}" >&2\n${text}`)
    .join('\n');
