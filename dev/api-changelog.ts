import { readFileSync, writeFileSync } from 'node:fs';
import { apiChanges } from './api-changes.ts';

// `npm run docs:changelog`: copies the entries of CHANGELOG.md about the API to the guide for its callers.
const source = new URL('../CHANGELOG.md', import.meta.url);
const target = new URL('../docs/guides/changelog.md', import.meta.url);
const BETWEEN = /(<!-- api changes: begin -->\n)[\s\S]*(<!-- api changes: end -->)/;

const guide = readFileSync(target, 'utf8');
if (!BETWEEN.test(guide)) throw new Error('docs/guides/changelog.md lacks the markers around its entries');
const changes = apiChanges(readFileSync(source, 'utf8'));
writeFileSync(
  target,
  guide.replace(BETWEEN, (_, begin: string, end: string) => `${begin}\n${changes}\n\n${end}`),
);
