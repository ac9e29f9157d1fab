import { readFileSync } from 'node:fs';
import { contentOf, DOCS_FOLDER, type Section } from './documents.ts';

const SUMMARY = [
  '# Quoting',
  '',
  '> An open, self-hosted quoting service: businesses create quotes, mail them to their clients as PDF, and follow them',
  '> to their answer. Plain HTTP and JSON, signed webhooks, automations; sentences for people are in Spanish.',
  '',
];

/** Content of /llms.txt (llmstxt.org). */
export const llmsText = (origin: string, sections: readonly Section[]): string =>
  [
    ...SUMMARY,
    '## API',
    '',
    `- [OpenAPI 3.1](${origin}/api/v1/openapi.json): every route with schemas and examples`,
    `- [All guides in one file](${origin}/llms-full.txt)`,
    '',
    ...sections.flatMap(({ title, documents }) => [
      `## ${title}`,
      '',
      ...documents.map((each) => `- [${each.title}](${origin}/docs/${each.file}): ${each.about}`),
      '',
    ]),
  ].join('\n');

/** Content of /llms-full.txt: the first section, which is for integrators, in one file. */
export const llmsFullText = ([guides]: readonly Section[]): string =>
  [
    ...SUMMARY,
    ...(guides?.documents ?? []).map(({ file }) => contentOf(readFileSync(new URL(file, DOCS_FOLDER), 'utf8')).trim()),
    '',
  ].join('\n\n');
