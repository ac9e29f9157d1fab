import assert from 'node:assert/strict';
import { isTabbed } from '../../api/docs/build/code-block.ts';
import { renderSite, type Site } from '../../api/docs/build/build-site.ts';
import { renderMarkdown } from '../../api/docs/build/markdown.ts';
import type { OpenApi } from '../../api/docs/build/reference/openapi.ts';
import { ATTACHMENTS, readSections } from '../../api/docs/documents.ts';
import { referenceDocument } from '../../api/docs/reference-document.ts';
import { documentedRoutes } from '../../dev/documented-routes.ts';
import { anchorsOf, document } from './documents.ts';

/** Addresses under /docs and beside it that other routes serve. */
const ELSEWHERE = new Set([
  '/api/openapi.json',
  '/api/v1/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  'data:,',
  ...readSections().flatMap(({ documents }) => documents.map(({ file }) => `/docs/${file}`)),
  ...ATTACHMENTS.map((file) => `/docs/${file}`),
]);

const render = (markdown: string): string => String(renderMarkdown(markdown, (target) => target).body);
const fence = (language: string, text = 'x'): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;

describe('pages of /docs', () => {
  let site: Site;
  let pages: ReadonlyMap<string, string>;
  before(async () => {
    site = await renderSite(JSON.parse(referenceDocument(await documentedRoutes())) as OpenApi);
    pages = new Map(
      site.files.filter(({ type }) => type === 'text/html').map(({ path, content }) => [path, content.toString()]),
    );
  });

  it('every link and file of every page resolves, with its anchor', () => {
    const files = new Set(site.files.map(({ path }) => path));
    const ids = new Map([...pages].map(([path, page]) => [path, new Set(page.match(/(?<= id=")[^"]+/g))]));
    const dead = [...pages].flatMap(([from, page]) =>
      (page.match(/(?<= (?:href|src|data-index)=")[^"]*/g) ?? [])
        .filter((target) => !/^(https:|mailto:)/.test(target))
        .filter((target) => {
          const [path = '', anchor] = target.split('#');
          const to = path === '' ? from : path;
          const isServed = files.has(to) || ELSEWHERE.has(to);
          return !isServed || (anchor !== undefined && ids.get(to)?.has(decodeURIComponent(anchor)) !== true);
        })
        .map((target) => `${from}: ${target}`),
    );

    assert.ok(pages.size > 30);
    assert.deepEqual(dead, []);
  });

  it('every link of the Markdown sources is a link on their page', () => {
    assert.deepEqual(site.problems, []);
  });

  it('headings have the anchors that they have in the repository', () => {
    const different = readSections()
      .flatMap(({ documents }) => documents)
      .filter(({ file }) => {
        const page = pages.get(`/docs/${file.replace(/\.md$/, '')}`) ?? '';
        const article = page.slice(page.indexOf('<article'), page.indexOf('</article>'));
        const ids = [...article.matchAll(/<h[1-6] id="([^"]+)"/g)].map(([, id]) => id);
        return ids.join() !== [...anchorsOf(document(`docs/${file}`))].join();
      });

    assert.deepEqual(different, []);
  });

  it('no page has an id twice, or markup of HTML comments', () => {
    const wrong = [...pages].filter(([, page]) => {
      const ids = page.match(/(?<= id=")[^"]+/g) ?? [];
      return new Set(ids).size !== ids.length || page.includes('&lt;!--');
    });

    assert.deepEqual(
      wrong.map(([path]) => path),
      [],
    );
  });

  it('every page is in the navigation of every other and is found by the search', () => {
    const index = site.files.find(({ path }) => /\/search-\w+\.json$/.test(path));
    const records = JSON.parse(index?.content.toString() ?? '') as readonly { href: string }[];
    const found = new Set(records.map(({ href }) => href.split('#')[0]));
    const landing = pages.get('/docs') ?? '';
    const paths = [...pages.keys()].filter((path) => path !== '/docs');

    assert.deepEqual(
      paths.filter((path) => !landing.includes(`<a href="${path}"`)),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => !found.has(path)),
      [],
    );
  });
});

describe('code blocks of a page', () => {
  it('that follow each other in several languages become one example with tabs', () => {
    const page = render(`${fence('sh run')}\n${fence('ts')}${fence('python')}`);

    assert.equal(page.match(/<fieldset class="tabs">/g)?.length, 1);
    assert.deepEqual(page.match(/(?<= value=")\w+/g), ['sh', 'ts', 'python']);
    assert.deepEqual(page.match(/(?<=data-language=")\w+/g), ['sh', 'ts', 'python']);
    assert.equal(page.match(/ checked/g)?.length, 1);
  });

  it('with text between them, of one language, or of another kind stay separate', () => {
    const separate = [
      `${fence('sh')}\ntext\n\n${fence('ts')}`,
      `${fence('sh')}${fence('sh')}`,
      `${fence('sh')}${fence('json')}`,
    ];

    assert.ok(separate.every((markdown) => !render(markdown).includes('tabs')));
    assert.equal(isTabbed([{ language: 'go', text: '' }]), false);
  });

  it('two examples of a page have different ids', () => {
    const page = render(`${fence('sh')}${fence('ts')}\ntext\n\n${fence('sh')}${fence('ts')}`);

    assert.deepEqual(new Set(page.match(/(?<= id=")[^"]+/g)).size, 4);
  });

  it('cannot become markup, in any language', () => {
    const page = ['sh', 'php', 'json', 'text', 'nothing'].map((language) => render(fence(language, '<b>&"')));

    assert.ok(page.every((each) => !each.includes('<b>') && each.includes('&lt;')));
  });
});

describe('links of a page', () => {
  it('to nowhere become text', () => {
    const body = String(renderMarkdown('see [this](nowhere.md)', () => undefined).body);

    assert.match(body, /see <span>this<\/span>/);
  });

  it('with a scheme that runs programs, and HTML, stay text', () => {
    const page = render('[x](javascript:alert(1)) <script>alert(1)</script>');

    assert.doesNotMatch(page, /<script|href="javascript/);
  });
});
