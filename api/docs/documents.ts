/** The documents served under /docs, in reading order. Other files are not served. */

interface Document {
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

export const DOCUMENTS: readonly Document[] = [
  { file: 'quick-start.md', title: 'Quick start', about: 'from nothing to a quote in its client’s mailbox' },
  {
    file: 'api-guide.md',
    title: 'API guide',
    about: 'authentication, errors, idempotency, lists, amounts, rate limits',
  },
  { file: 'text.md', title: 'Text', about: 'what becomes of each kind of character, and which texts have one line' },
  { file: 'webhooks.md', title: 'Webhooks', about: 'events, headers, verifying, retries, replay, rotation' },
  { file: 'automations.md', title: 'Automations', about: 'triggers, conditions, actions, variables, chains' },
  { file: 'connectors.md', title: 'Zapier, Make, n8n', about: 'the routes for automation platforms' },
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

/** Content of /llms.txt (llmstxt.org). */
export const llmsText = (origin: string): string =>
  [
    '# Quoting',
    '',
    '> An open, self-hosted quoting service: businesses create quotes, mail them to their clients as PDF, and follow them',
    '> to their answer. Plain HTTP and JSON, signed webhooks, automations; sentences for people are in Spanish.',
    '',
    '## API',
    '',
    `- [OpenAPI 3.1](${origin}/api/v1/openapi.json): every route with schemas and examples`,
    '',
    '## Documents',
    '',
    ...DOCUMENTS.map(({ file, title, about }) => `- [${title}](${origin}/docs/${file}): ${about}`),
    '',
  ].join('\n');
