import { readFileSync } from 'node:fs';
import type { MarkdownPage } from './build/reference/as-markdown.ts';
import { contentOf, DOCS_FOLDER, type Section } from './documents.ts';

const SUMMARY = [
  '# Quoting',
  '',
  '> An open, self-hosted quoting service: businesses create quotes, mail them to their clients as PDF, and follow them',
  '> to their answer. Plain HTTP and JSON, signed webhooks, automations; sentences for people are in Spanish.',
  '',
];

/** Content of /llms.txt (llmstxt.org). */
export const llmsText = (origin: string, sections: readonly Section[], reference: readonly MarkdownPage[]): string =>
  [
    ...SUMMARY,
    '## API',
    '',
    `- [OpenAPI 3.1 for integrations](${origin}/api/v1/openapi.json): the routes under /api/v1, for API keys, with schemas and examples`,
    `- [OpenAPI 3.1 with sessions and the client portal](${origin}/api/openapi.json): the same routes under /api, and those of sign-in and of the page that clients open`,
    `- [All guides and the reference in one file](${origin}/llms-full.txt)`,
    '',
    '## Reference',
    '',
    ...reference.map(({ title, path }) => `- [${title}](${origin}${path})`),
    '',
    ...sections.flatMap(({ title, documents }) => [
      `## ${title}`,
      '',
      ...documents.map((each) => `- [${each.title}](${origin}/docs/${each.file}): ${each.about}`),
      '',
    ]),
  ].join('\n');

/** Content of /llms-full.txt: the first section, which is for integrators, and the reference, in one file. */
export const llmsFullText = ([guides]: readonly Section[], reference: readonly MarkdownPage[]): string =>
  [
    ...SUMMARY,
    ...(guides?.documents ?? []).map(({ file }) => contentOf(readFileSync(new URL(file, DOCS_FOLDER), 'utf8')).trim()),
    ...reference.map(({ text }) => text.trim()),
    '',
  ].join('\n\n');
