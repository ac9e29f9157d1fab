import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ATTACHMENTS, contentOf, GUIDE_ORDER, readSections } from '../../api/docs/documents.ts';
import { devService, ownService, type Service, service } from '../api/service.ts';
import { ROOT } from './documents.ts';

const DOCUMENTS = readSections().flatMap(({ documents }) => documents);

describe('GET /docs/*.md and /llms.txt', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('return every document and attachment as plain text, byte for byte', async () => {
    const files = [...DOCUMENTS.map(({ file }) => file), ...ATTACHMENTS];

    const answers = await Promise.all(files.map((file) => app.get(`/docs/${file}`)));

    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(answers.every(({ headers }) => headers.get('Content-Type') === 'text/plain; charset=utf-8'));
    assert.ok(answers.every(({ headers }) => headers.get('X-Content-Type-Options') === 'nosniff'));
    assert.deepEqual(
      answers.map(({ bytes }) => bytes.toString()),
      files.map((file) => readFileSync(`${ROOT}docs/${file}`, 'utf8')),
    );
  });

  it('name, in /llms.txt, the OpenAPI document and every document by an address that responds', async () => {
    const { bytes } = await app.get('/llms.txt');

    const addresses = [...bytes.toString().matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => new URL(address));
    const answers = await Promise.all(addresses.map(({ pathname }) => app.get(pathname)));
    // Both OpenAPI documents and the text of all; the reference is checked below.
    const others = addresses.filter(({ pathname }) => !pathname.startsWith('/docs/reference'));
    assert.equal(others.length, DOCUMENTS.length + 3);
    assert.ok(addresses.every(({ origin }) => origin === new URL(app.deps.config.PUBLIC_URL).origin));
    assert.ok(answers.every(({ status }) => status === 200));
  });

  it('/docs links to the page of each, and the page to its Markdown', async () => {
    const { bytes } = await app.get('/docs');

    const cards = [...bytes.toString().matchAll(/<h3><a href="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
    const pages = await Promise.all(cards.map((path) => app.get(path)));
    assert.deepEqual(
      cards.map((path) => `${path.slice('/docs/'.length)}.md`),
      DOCUMENTS.map(({ file }) => file),
    );
    assert.ok(pages.every((page, i) => page.bytes.toString().includes(`<a href="${cards[i]}.md">`)));
  });

  it('the reference is served as Markdown, linked by its pages and by /llms.txt, and part of /llms-full.txt', async () => {
    const overview = (await app.get('/docs/reference')).bytes.toString();
    const [list, full] = (await Promise.all(['/llms.txt', '/llms-full.txt'].map((path) => app.get(path)))).map(
      ({ bytes }) => bytes.toString(),
    );
    const paths = new Set(overview.match(/(?<=href=")\/docs\/reference(?:\/[a-z-]+)?(?=")/g));

    assert.ok(paths.size > 15);
    for (const path of paths) {
      const [page, markdown] = await Promise.all([app.get(path), app.get(`${path}.md`)]);
      assert.match(page.bytes.toString(), new RegExp(`<a href="${path}\\.md">`));
      assert.deepEqual([markdown.status, markdown.headers.get('Content-Type')], [200, 'text/plain; charset=utf-8']);
      assert.ok(list?.includes(`${path}.md)`), path);
      assert.ok(full?.includes(markdown.bytes.toString().trim()), path);
    }
  });

  it('/llms-full.txt has the text of every guide', async () => {
    const full = (await app.get('/llms-full.txt')).bytes.toString();

    const guides = readSections()[0]?.documents ?? [];
    assert.ok(guides.length > 5);
    assert.deepEqual(
      guides.filter(({ file }) => !full.includes(contentOf(readFileSync(`${ROOT}docs/${file}`, 'utf8')).trim())),
      [],
    );
  });

  it('every guide of the folder has a place in the order', () => {
    const guides = DOCUMENTS.flatMap(({ file }) => /^guides\/(.+)\.md$/.exec(file)?.[1] ?? []);

    assert.deepEqual(
      guides.filter((name) => !GUIDE_ORDER.includes(name)),
      [],
    );
  });

  it('answer 404 for an unlisted file, also through ..', async () => {
    const paths = ['/docs/nothing.md', '/docs/..%2fpackage.json', '/docs/samples%2f..%2f..%2fpackage.json'];

    const answers = await Promise.all(paths.map((path) => app.get(path)));

    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404],
    );
  });
});

describe('/dev/sink', () => {
  it('and /dev are served by the entry point of npm start only, also in the embedded profile', async () => {
    const app = await ownService({ PROFILE: 'embedded' });
    const dev = await devService();

    const [sent, read, page] = await Promise.all([
      app.post('/dev/sink/x', { a: 1 }),
      app.get('/dev/sink/x'),
      app.get('/dev'),
    ]);
    assert.deepEqual([sent.status, read.status, page.status], [404, 404, 404]);
    assert.equal((await dev.get('/dev/sink/x')).status, 200);
    assert.equal((await dev.get('/dev')).status, 200);
  });
});
