import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Block, document, ROOT, startsScripts } from './documents.ts';

/** The examples of docs/guides: each is one program in several languages, in blocks that follow each other. */

export const LANGUAGES = ['sh', 'ts', 'python', 'php', 'go'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Example {
  /** Guide and heading, such as "money.md: Money"; later ones below the same heading are numbered. */
  readonly name: string;
  readonly programs: Readonly<Partial<Record<Language, Block>>>;
  /** The JSON block after them: what the service responded to the shell command. */
  readonly response: Block | undefined;
}

const FOLDER = 'docs/guides/';

export const guideNames = (): readonly string[] => readdirSync(ROOT + FOLDER).filter((name) => name.endsWith('.md'));

export const guide = (name: string) => document(FOLDER + name);

/** Title and description, which stand in front of the text. */
export function frontMatter(name: string): Readonly<Record<string, string>> {
  const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(ROOT + FOLDER + name, 'utf8')) ?? [];
  return Object.fromEntries([...matter.matchAll(/^(\w+): (.+)$/gm)].map(([, member, value]) => [member, value]));
}

/** In the order of the guide, without blocks that only start npm scripts. */
export function examplesOf(name: string): readonly Example[] {
  const groups: Block[][] = [];
  for (const block of guide(name).blocks) {
    const last = groups.at(-1);
    if (block.continues && last) last.push(block);
    else groups.push([block]);
  }
  const headings = new Map<string, number>();
  return groups.flatMap((blocks) => {
    const programs = blocks.filter((block) => isLanguage(block.language) && !startsScripts(block));
    const [first] = programs;
    if (!first) return [];
    const count = (headings.get(first.heading) ?? 0) + 1;
    headings.set(first.heading, count);
    return {
      name: `${name}: ${first.heading}${count === 1 ? '' : ` (${count})`}`,
      programs: Object.fromEntries(programs.map((block) => [block.language, block])),
      response: blocks.find(({ language, info }) => language === 'json' && info.startsWith('answer ')),
    };
  });
}

const isLanguage = (language: string): language is Language => (LANGUAGES as readonly string[]).includes(language);

/** Whether the recording commands (`npm run docs:guides`) run. */
// oxlint-disable-next-line node/no-process-env -- set by the npm script, not a setting of the product
export const isRecording = process.env['WRITE_GUIDES'] === '1';

/** Replaces the text of blocks by their first line. */
export function rewriteBlocks(name: string, texts: ReadonlyMap<Block, string>): void {
  const lines = readFileSync(ROOT + FOLDER + name, 'utf8').split('\n');
  for (const [block, text] of [...texts].toReversed()) {
    lines.splice(block.line - 1, block.text.split('\n').length, ...text.split('\n'));
  }
  writeFileSync(ROOT + FOLDER + name, lines.join('\n'));
}

/** Replaces what stands between two markers of a guide. */
export function rewriteSection(name: string, section: string, text: string): void {
  const path = ROOT + FOLDER + name;
  const marked = readFileSync(path, 'utf8');
  const between = new RegExp(`(<!-- ${section}: begin -->\\n)[\\s\\S]*(<!-- ${section}: end -->)`);
  if (!between.test(marked)) throw new Error(`${path} has no section ${section}`);
  writeFileSync(
    path,
    marked.replace(between, (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`),
  );
}
