import { readFileSync, writeFileSync } from 'node:fs';
import { describedSettings } from '../adapters/config.ts';

// `npm run docs:config`: writes the table of settings in docs/operations.md from their schema.
const target = new URL('../docs/operations.md', import.meta.url);
const BETWEEN = /(<!-- settings: begin -->\n)[\s\S]*(<!-- settings: end -->)/;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const rows = describedSettings().map(({ name, description, fallback, readBy }) => {
  const without = fallback === undefined ? '' : fallback === '' ? 'empty' : `\`${cell(fallback)}\``;
  return `| \`${name}\` | ${cell(description)} | ${without} | ${readBy.join(', ')} |`;
});
const table = ['| setting | meaning | default | read by |', '| --- | --- | --- | --- |', ...rows].join('\n');
const document = readFileSync(target, 'utf8');
if (!BETWEEN.test(document)) throw new Error('docs/operations.md lacks the markers around its settings');
writeFileSync(
  target,
  document.replace(BETWEEN, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`),
);
