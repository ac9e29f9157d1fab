import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readSections } from '../../api/docs/documents.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, flaws, open, overflow, PHONE, violations, type Watched } from './browser.ts';

/** The pages of /docs at 390 and 1280 px, light and dark, with and without JavaScript. */
describe('/docs in a browser', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  const guides = readSections()[0]?.documents ?? [];
  const pageOf = (file: string) => `/docs/${file.replace(/\.md$/, '')}`;
  const at = (path: string) => `${service.http.url}${path}`;

  /** Addresses of the reference, from its overview. */
  async function groups(): Promise<readonly string[]> {
    const overview = (await service.http.get('/docs/reference')).bytes.toString();
    return [...new Set(overview.match(/(?<=<h2><a href=")[^"]+/g))];
  }

  async function shortest(paths: readonly string[]): Promise<readonly string[]> {
    const pages = await Promise.all(
      paths.map(async (path) => ({ path, length: (await service.http.get(path)).bytes.length })),
    );
    return pages.toSorted((a, b) => a.length - b.length).map(({ path }) => path);
  }

  async function faults({ page, complaints, foreign }: Watched) {
    const found = await flaws(page);
    await page.setViewportSize({ width: 320, height: 640 });
    return { found, widerAt320: await overflow(page), complaints, foreign };
  }
  const NONE = { found: [], widerAt320: 0, complaints: [], foreign: [] };

  it('landing page, a guide, a document, overview, a group, events: no finding of axe, nothing foreign', async () => {
    // Pages of a kind have the same elements: the shortest are enough.
    const [guide = ''] = await shortest(guides.map(({ file }) => pageOf(file)));
    const [group = ''] = await shortest(await groups());
    const paths = ['/docs', guide, '/docs/decisions', '/docs/reference', group, '/docs/reference/events'];

    for (const path of paths) {
      await using seen = await open(at(path));

      assert.deepEqual({ path, ...(await faults(seen)) }, { path, ...NONE });
    }
  });

  it('every page fits into a phone’s window, without an error or a foreign request', async () => {
    const landing = (await service.http.get('/docs')).bytes.toString();
    const paths = [...new Set(landing.match(/(?<=href=")\/docs[^".]*(?=")/g))];
    await using seen = await open(at('/docs'));

    const wide: string[] = [];
    for (const path of paths) {
      await seen.page.goto(at(path));
      if ((await overflow(seen.page)) > 0) wide.push(path);
    }

    assert.ok(paths.length > 30);
    assert.deepEqual([wide, seen.complaints, seen.foreign], [[], [], []]);
  });

  it('follows the colours that the reader prefers', async () => {
    await using light = await open(at('/docs'));
    await using dark = await open(at('/docs'), { colorScheme: 'dark' });

    const ground = ({ page }: Watched) => page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.deepEqual([await ground(light), await ground(dark)], ['rgb(255, 255, 255)', 'rgb(15, 21, 27)']);
  });

  describe('search', () => {
    async function searchFor(page: Page, text: string) {
      await page.keyboard.press('/');
      await page.getByRole('searchbox').fill(text);
      await page.locator('#search-results a').first().waitFor();
    }

    it('opens by its key, finds a word of a document, and goes there by the keyboard', async () => {
      await using seen = await open(at('/docs'), { viewport: DESK });
      const { page } = seen;

      await searchFor(page, 'bookmarks temporal');
      const found = await violations(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');

      await page.waitForURL(/\/docs\/.+/);
      assert.match((await page.locator('main').textContent()) ?? '', /bookmarks/i);
      assert.deepEqual([found, seen.complaints, seen.foreign], [[], [], []]);
    });

    it('finds an operation by its path on a phone, and says when nothing is found', async () => {
      await using seen = await open(at('/docs'), { viewport: PHONE });
      const { page } = seen;

      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('POST quotes share');
      await page.locator('#search-results').getByText('/share').first().click();
      await page.waitForURL(/\/docs\/reference\/.+#.+/);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('xyzzyxyzzy');

      assert.match((await page.getByText('Nothing found').textContent()) ?? '', /xyzzyxyzzy/);
      assert.deepEqual(seen.complaints, []);
    });
  });

  it('the menu of a phone shows the current page, and closes when a part of the same page is chosen', async () => {
    await using seen = await open(at('/docs/reference/events'));
    const { page } = seen;
    const navigation = page.getByRole('navigation', { name: 'Documentation' });

    await page.getByRole('button', { name: 'Menu' }).click();
    const current = navigation.locator('[aria-current=page]');
    const isInSight = await current.evaluate((link) => link.getBoundingClientRect().bottom < 844);
    await navigation.getByRole('link', { name: 'quote.sent' }).click();

    await navigation.waitFor({ state: 'hidden' });
    assert.equal(isInSight, true);
    assert.match(page.url(), /#quote\.sent$/);
    assert.deepEqual(seen.complaints, []);
  });

  it('a copy button copies exactly the text of its block', async () => {
    const [group = ''] = await groups();
    await using seen = await open(at(group), { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = seen;
    const block = page.locator('.code').first();

    await block.getByRole('button', { name: 'Copy' }).click();

    await block.getByText('Copied').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), await block.locator('code').textContent());
    assert.deepEqual(seen.complaints, []);
  });

  describe('a tabbed example', () => {
    const TABBED = guides.map(({ file }) => pageOf(file));

    /** Opens the first guide that has one. */
    async function openTabbed(options: Parameters<typeof open>[1] = {}): Promise<Watched> {
      const pages = await Promise.all(TABBED.map(async (path) => ({ path, page: await service.http.get(path) })));
      const found = pages.find(({ page }) => page.bytes.toString().includes('class="tabs"'));
      assert.ok(found, 'no guide has an example in several languages');
      return open(at(found.path), options);
    }
    const shown = (page: Page) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.tabs')].map((tabs) =>
          [...tabs.querySelectorAll('.code')].filter((one) => one.checkVisibility()).map((one) => one.dataset.language).join())`,
      );

    it('shows one language; the arrow keys choose another, in all examples and on the next page', async () => {
      await using seen = await openTabbed();
      const { page } = seen;
      const before = await shown(page);

      await page.locator('.tabs input').first().focus();
      await page.keyboard.press('ArrowRight');
      const after = await shown(page);
      await page.reload();

      assert.ok(before.every((language) => language === 'sh'));
      assert.ok(after.every((language) => language === 'ts'));
      assert.deepEqual(await shown(page), after);
      assert.deepEqual(await faults(seen), NONE);
    });

    it('works without JavaScript', async () => {
      await using seen = await openTabbed({ javaScriptEnabled: false });

      await seen.page.locator('.tabs label', { hasText: 'Python' }).first().click();

      assert.equal(await seen.page.locator('.tabs').first().locator('[data-language=python]').isVisible(), true);
      assert.equal(await seen.page.locator('.tabs').first().locator('[data-language=sh]').isVisible(), false);
    });
  });

  describe('without JavaScript', () => {
    it('pages are readable and the menu leads from one to another on a phone', async () => {
      await using seen = await open(at('/docs'), { javaScriptEnabled: false, viewport: PHONE });
      const { page } = seen;
      const navigation = page.getByRole('navigation', { name: 'Documentation' });

      const closed = await navigation.isVisible();
      await page.getByRole('button', { name: 'Menu' }).click();
      await navigation.getByRole('link', { name: 'Webhook events' }).click();

      await page.getByRole('heading', { level: 1, name: 'Webhook events' }).waitFor();
      assert.equal(closed, false);
      assert.equal(await page.locator('.search-open').isVisible(), false);
      assert.equal(await page.locator('.copy').count(), 0);
      assert.deepEqual(seen.complaints, []);
    });

    it('the navigation and the table of contents are visible on a desk', async () => {
      await using seen = await open(at('/docs/security'), { javaScriptEnabled: false, viewport: DESK });

      assert.equal(await seen.page.getByRole('navigation', { name: 'Documentation' }).isVisible(), true);
      assert.equal(await seen.page.locator('.contents li a').first().isVisible(), true);
      assert.equal(await seen.page.locator('.menu').first().isVisible(), false);
    });
  });
});
