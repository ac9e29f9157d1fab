import { readdirSync, readFileSync } from 'node:fs';

/** The documents served under /docs. Guides are all files of docs/guides; other documents are served if listed here. */
export interface Document {
  /** Path within docs/. */
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

export interface Section {
  readonly title: string;
  readonly documents: readonly Document[];
}

/** The build copies this folder next to the compiled code. */
export const DOCS_FOLDER = new URL('../../docs/', import.meta.url);

/** Reading order of docs/guides. A guide that is not listed follows in the order of the alphabet. */
export const GUIDE_ORDER: readonly string[] = [
  'quick-start',
  'authentication',
  'errors',
  'idempotency',
  'pagination',
  'concurrency',
  'limits',
  'quotes',
  'money',
  'dates',
  'text',
  'languages',
  'sharing',
  'files',
  'webhooks',
  'automations',
  'connectors',
  'changelog',
];

const OPERATION: readonly Document[] = [
  { file: 'operations.md', title: 'Operations', about: 'processes, configuration, backup, upgrades, keys, runbooks' },
  { file: 'scaling.md', title: 'Scaling out', about: 'how each part grows, and the arithmetic' },
  { file: 'architecture.md', title: 'Architecture', about: 'one request and one event, file by file' },
  { file: 'decisions.md', title: 'Decisions', about: 'why it is built like this, and what that costs' },
  { file: 'workflows.md', title: 'Workflows', about: 'reading, replaying and changing them' },
  { file: 'security.md', title: 'Security', about: 'each control and the test that fails without it' },
  { file: 'reliability.md', title: 'Reliability', about: 'faults made under load, and what became of them' },
  { file: 'performance.md', title: 'Performance', about: 'measured beside what would be picked instead, as ratios' },
  { file: 'queries.md', title: 'Queries', about: 'the plans of the main reads at 200 000 quotes' },
  { file: 'dependencies.md', title: 'Dependencies', about: 'what we build on, and why' },
  { file: 'pdf-review.md', title: 'PDF review', about: 'how the documents were looked at' },
];

/** Every served document by section, in reading order. */
export function readSections(): readonly Section[] {
  const guides = guideNames().map((name) => readGuide(`guides/${name}.md`));
  return [
    { title: 'Guides', documents: guides },
    { title: 'For operators', documents: OPERATION },
  ];
}

function guideNames(): readonly string[] {
  const files = readdirSync(new URL('guides/', DOCS_FOLDER)).filter((file) => file.endsWith('.md'));
  const place = (name: string) => (GUIDE_ORDER.includes(name) ? GUIDE_ORDER.indexOf(name) : GUIDE_ORDER.length);
  return files.map((file) => file.slice(0, -'.md'.length)).sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

function readGuide(file: string): Document {
  const { title, description } = frontMatterOf(readFileSync(new URL(file, DOCS_FOLDER), 'utf8'));
  if (!title || !description) throw new Error(`docs/${file} has no title and description in its front matter`);
  return { file, title, about: description };
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

/** The members of the front matter, one a line, with or without quotes. */
function frontMatterOf(markdown: string): Readonly<Record<string, string>> {
  const [, lines = ''] = FRONT_MATTER.exec(markdown) ?? [];
  return Object.fromEntries(
    [...lines.matchAll(/^(\w+): *(['"]?)(.*)\2$/gm)].map(([, name = '', , value = '']) => [name, value]),
  );
}

/** A document without its front matter. */
export const contentOf = (markdown: string): string => markdown.replace(FRONT_MATTER, '');

/** Files that the documents link to. */
export const ATTACHMENTS: readonly string[] = [
  'webhook-vectors.json',
  'samples/verify.mjs',
  'samples/verify.py',
  'samples/verify.php',
  'samples/verify.go',
  'reliability.jsonl',
  'performance.json',
  'performance.svg',
];
