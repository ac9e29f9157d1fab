import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ATTACHMENTS, DOCUMENTS } from '../../api/docs/documents.ts';
import { anchorsOf, document, documents, type Link, linksOf, ROOT } from './documents.ts';

/** What is wrong with a link that stays in the repository; undefined when it leads somewhere. */
function problemOf({ from, target }: Link): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (path.startsWith('..') || !existsSync(ROOT + path)) return `${from}: ${target} does not exist`;
  if (anchor === undefined) return undefined;
  return anchorsOf(document(path)).has(anchor) ? undefined : `${from}: ${path} has no heading for #${anchor}`;
}

describe('Every Markdown document', () => {
  it('leads, by each of its links, to a file and a heading that exist', () => {
    const links = documents().flatMap(linksOf);

    assert.ok(links.length > 40, `only ${links.length} links were found`);
    assert.deepEqual(
      links.flatMap((link) => problemOf(link) ?? []),
      [],
    );
  });

  it('names only npm scripts that package.json has', () => {
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

  it('names only routes that the API has', () => {
    const { paths } = JSON.parse(readFileSync(`${ROOT}packages/client/openapi.json`, 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':x')}`),
      ),
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

describe('The documents that are served', () => {
  it('are all that docs/ holds, with the files they link to', () => {
    const files = readdirSync(`${ROOT}docs`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(`${ROOT}docs/`.length))
      // Pictures are the README's.
      .filter((file) => !file.endsWith('.png'));

    assert.deepEqual(files.toSorted(), [...DOCUMENTS.map(({ file }) => file), ...ATTACHMENTS].toSorted());
  });
});
