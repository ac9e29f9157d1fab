import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ATTACHMENTS, DOCUMENTS } from '../../api/docs/documents.ts';
import { documentedRoutes } from '../../dev/documented-routes.ts';
import { anchorsOf, document, documents, externalLinksOf, type Link, linksOf, ROOT } from './documents.ts';

/** What is wrong with a link within the repository; undefined when it resolves. */
function problemOf({ from, target }: Link): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (path.startsWith('..') || !existsSync(ROOT + path)) return `${from}: ${target} does not exist`;
  if (anchor === undefined) return undefined;
  return anchorsOf(document(path)).has(anchor) ? undefined : `${from}: ${path} has no heading for #${anchor}`;
}

/** Of a link within the repository: file and anchor, relative to the root. */
function resolved({ from, target }: Link): string {
  const [file = '', anchor = ''] = target.split('#');
  return `${file === '' ? from : normalize(join(dirname(from), file))}#${anchor}`;
}

/** What is wrong with the form of an external link; whether it responds is not checked. */
function externalProblem({ from, target }: Link): string | undefined {
  if (!URL.canParse(target)) return `${from}: ${target} is no address`;
  const url = new URL(target);
  // The reader's own machine.
  if (['127.0.0.1', 'localhost'].includes(url.hostname)) return undefined;
  if (url.protocol === 'mailto:') return undefined;
  if (url.protocol !== 'https:') return `${from}: ${target} is not over https`;
  if (url.username || !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(url.hostname))
    return `${from}: ${target} has an unexpected host`;
  return /[.,;:!?'"]$|\s|utm_/.test(target) ? `${from}: ${target} has extra characters at its end` : undefined;
}

/** Two spellings of one page: with or without a trailing slash, a "www." or a fragment's case. */
const plain = (target: string): string =>
  target
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/\/?(#.*)?$/, '$1')
    .toLowerCase();

describe('every Markdown document', () => {
  it('has only links to existing files and headings', () => {
    const links = documents().flatMap(linksOf);

    assert.ok(links.length > 40, `only ${links.length} links were found`);
    assert.deepEqual(
      links.flatMap((link) => problemOf(link) ?? []),
      [],
    );
  });

  it('has external links that are complete, over https, and written in one way each', () => {
    const links = documents().flatMap(externalLinksOf);

    assert.ok(links.length >= 4, `only ${links.length} links were found`);
    assert.deepEqual(
      links.flatMap((link) => externalProblem(link) ?? []),
      [],
    );
    const targets = [...new Set(links.map(({ target }) => target))];
    assert.deepEqual(
      targets.filter((target) => targets.some((other) => other !== target && plain(other) === plain(target))),
      [],
    );
  });

  it('does not link to a heading that its document has twice', () => {
    const targets = documents().flatMap(linksOf).map(resolved);
    const doubled = documents().flatMap((each) =>
      [...anchorsOf(each)]
        .filter((anchor) => anchorsOf(each).has(`${anchor}-1`))
        .map((anchor) => `${each.path}#${anchor}`),
    );

    assert.deepEqual(
      targets.filter((target) => doubled.some((anchor) => target === anchor || target === `${anchor}-1`)),
      [],
    );
  });

  it('every named npm script exists in package.json', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };
    const texts = documents().map(({ path, prose, blocks }) => ({
      path,
      text: [prose, ...blocks.map(({ text }) => text)].join('\n'),
    }));
    const named = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm (?:run (?:--silent |-s )?([\w:.-]+)|(start|test)\b)/g)].map(([, script, verb]) => ({
        path,
        script: script ?? verb ?? '',
      })),
    );

    assert.ok(named.length > 30);
    assert.deepEqual(
      named.filter(({ script }) => !(script.replace(/\.+$/, '') in scripts)),
      [],
    );
  });

  it('every named source file and test exists', () => {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
    const tests = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
    const named = documents().flatMap(({ path, prose }) =>
      [...prose.matchAll(/`((?:[a-z]+\/)?\w[\w./-]+\.(?:ts|md|txt|ya?ml|py|toml))`/g)].map(([, file = '']) => ({
        path,
        file,
      })),
    );
    const exists = ({ path, file }: { path: string; file: string }) =>
      file.includes('/')
        ? existsSync(ROOT + file) || existsSync(join(ROOT, dirname(path), file))
        : !file.endsWith('.test.ts') || tests.includes(`/${file}\n`);

    assert.ok(named.length > 100, `only ${named.length} files are named`);
    assert.deepEqual(
      named.filter((each) => !exists(each)),
      [],
    );
  });

  it('every named route exists in the API', async () => {
    const routes = new Set(
      (await documentedRoutes()).map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':x')}`),
    );
    const named = documents().flatMap(({ path, prose }) =>
      [...prose.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/:.{}-]+)/g)].map(([, method = '', route = '']) => ({
        path,
        route: `${method} ${route.replace('/api/v1/', '/api/').replace(/:\w+|\{\w+\}/g, ':x')}`,
      })),
    );

    assert.ok(named.length > 15);
    assert.deepEqual(
      named.filter(({ route }) => !routes.has(route)),
      [],
    );
  });
});

describe('served documents', () => {
  it('are all that docs/ holds, with the files they link to', () => {
    const files = readdirSync(`${ROOT}docs`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(`${ROOT}docs/`.length))
      // Pictures belong to the README, the list of retired terms to the tests.
      .filter((file) => !file.endsWith('.png') && file !== 'retired-terms.txt');

    assert.deepEqual(files.toSorted(), [...DOCUMENTS.map(({ file }) => file), ...ATTACHMENTS].toSorted());
  });
});
