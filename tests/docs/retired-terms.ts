import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { anchorsOf, document, ROOT } from './documents.ts';

/** The list of words that must not return, `docs/retired-terms.txt`, and the search for them. */

const LIST = 'docs/retired-terms.txt';
const ALLOW = 'allow ';
const SEARCHED = /(?:\.(?:c?js|mjs|ts|md|ya?ml|py|toml|sh|html|css|sql)|Dockerfile|\.env\.example|\.ci\/run)$/;
/** Recorded or generated from what is searched itself. */
const GENERATED = /^(?:tests\/histories\/|packages\/client\/schema\.d\.ts$)/;

export interface RetiredTerms {
  readonly terms: RegExp;
  readonly allowed: readonly { readonly path: string; readonly line: string }[];
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly term: string;
}

export function readRetiredTerms(text = readFileSync(ROOT + LIST, 'utf8')): RetiredTerms {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const isAllowance = (line: string) => line.startsWith(ALLOW);
  const terms = lines.filter((line) => !isAllowance(line));
  return {
    terms: new RegExp(terms.map(patternOf).join('|'), 'g'),
    allowed: lines.filter(isAllowance).map((allowance) => {
      const [path = '', line = '', reason] = allowance.slice(ALLOW.length).split(' | ');
      if (!reason) throw new Error(`${LIST}: no reason for ${path}`);
      return { path, line };
    }),
  };
}

function patternOf(term: string): string {
  const [, expression] = /^\/(.+)\/$/.exec(term) ?? [];
  if (expression) return expression;
  const [, exact] = /^`(.+)`$/.exec(term) ?? [];
  if (exact) return escaped(exact);
  // A phrase may be broken over two lines of a comment.
  const words = term.split(' ').map((word) => escaped(word).replace(/[a-z]/g, anyCase));
  return `\\b${words.join('(?:\\s+(?:(?:\\*|//|#)\\s+)?)')}\\b`;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyCase = (letter: string): string => `[${letter}${letter.toUpperCase()}]`;

/** Every tracked text file with its content; the list itself is not among them. */
export function searchedFiles(): readonly { readonly path: string; readonly text: string }[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return paths.flatMap((path) => {
    if (!SEARCHED.test(path) || GENERATED.test(path)) return [];
    // A deletion may not be committed yet.
    return existsSync(ROOT + path) ? [{ path, text: readFileSync(ROOT + path, 'utf8') }] : [];
  });
}

export function findTerms(path: string, text: string, { terms, allowed }: RetiredTerms): readonly Finding[] {
  const whole = `${path}\n${text}`;
  return [...whole.matchAll(terms)].flatMap(({ 0: term, index }) => {
    const line = whole.slice(0, index).split('\n').length - 1;
    if (isAllowed(allowed, path, whole.split('\n')[line] ?? '')) return [];
    return [{ path, line, term: term.replace(/\s+/g, ' ') }];
  });
}

const isAllowed = (allowed: RetiredTerms['allowed'], path: string, text: string): boolean =>
  allowed.some((each) => path.startsWith(each.path) && (each.line === '*' || text.includes(each.line)));

/** Made from the OpenAPI document by the build of the documentation. */
const RENDERED = 'docs/reference.md';

/** Mentions of a document, with or without a heading, that does not exist. */
export function brokenReferences(path: string, text: string, { allowed }: RetiredTerms): readonly string[] {
  return [...text.matchAll(/\b(?:docs\/[\w-]+|CONTRIBUTING|SECURITY|CHANGELOG)\.md(?:#([\w-]+))?/g)].flatMap(
    ({ 0: reference, 1: anchor }) => {
      const [file = ''] = reference.split('#');
      if (file === RENDERED || isAllowed(allowed, path, reference)) return [];
      if (!existsSync(ROOT + file)) return [`${path}: ${file} does not exist`];
      const isFound = anchor === undefined || anchorsOf(document(file)).has(anchor);
      return isFound ? [] : [`${path}: ${reference} has no such heading`];
    },
  );
}
