import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { readSections } from '../api/docs/documents.ts';
import { findChromium } from '../tests/browser/chromium.ts';
import { startApi } from './lib/processes.ts';
import type { Bench, Fact, Figure, Findings, Row } from './lib/row.ts';
import { DATA_SETS } from './lib/seed.ts';
import { transferred } from './lib/transferred.ts';

/** How much a page of the documentation transfers, and what it costs a browser until its first text. */
export const row: Row = {
  name: 'docs',
  title: 'pages of the documentation in Chromium',
  quick: true,
  run: measureDocs,
};

const KIB = 1024;
const MAX_FIRST_TEXT_S = 1;
/** Page, stylesheet and scripts, compressed, of a browser that has nothing cached. */
const MAX_KIB = 64;

async function measureDocs(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const { url, stop } = await startApi(databases, await databases.shared(DATA_SETS.smallMany));
  bench.after(stop);
  const [guide] = readSections()[0]?.documents ?? [];
  const paths = [
    '/docs',
    `/docs/${guide?.file.replace(/\.md$/, '')}`,
    '/docs/reference',
    await largestGroup(url),
    '/docs/reference/models',
  ];

  const facts: Fact[] = [];
  for (const path of paths) {
    const value = (await transferred(url, path)) / KIB;
    facts.push({ what: `${path}: transferred`, value, unit: 'KiB', goal: { most: MAX_KIB } });
  }
  if (bench.quick) return { facts };

  // Chromium's sandbox refuses root; only our own pages are opened.
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-dev-shm-usage'],
  });
  bench.after(() => browser.close());
  const figures: Figure[] = [];
  for (const path of paths) {
    const seconds: number[] = [];
    for (let i = 0; i < bench.rounds; i += 1) seconds.push(await firstText(browser, url + path));
    figures.push({
      what: `${path}: renderer until the first text`,
      value: seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0,
      unit: 's of CPU',
      goal: { most: MAX_FIRST_TEXT_S },
    });
  }
  return { facts, figures };
}

/** The group of the reference with the longest page. */
async function largestGroup(url: string): Promise<string> {
  const overview = await (await fetch(`${url}/docs/reference`)).text();
  const sizes = await Promise.all(
    [...new Set(overview.match(/(?<=<h2><a href=")[^"]+/g))].map(async (path) => ({
      path,
      size: (await (await fetch(url + path)).text()).length,
    })),
  );
  return sizes.sort((a, b) => b.size - a.size)[0]?.path ?? '';
}

const UNTIL_PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
  }).observe({ type: 'paint', buffered: true });
})`;

/** Seconds of CPU of all renderer processes, with their start, from the navigation to the first painted text. */
async function firstText(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const session = await browser.newBrowserCDPSession();
  const page = await context.newPage();
  const before = await renderers(session);
  await page.goto(url, { waitUntil: 'commit' });
  await page.evaluate(UNTIL_PAINTED);
  const after = await renderers(session);
  await session.detach();
  await context.close();
  return [...after].reduce((sum, [id, seconds]) => sum + Math.max(0, seconds - (before.get(id) ?? 0)), 0);
}

async function renderers(session: CDPSession): Promise<ReadonlyMap<number, number>> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]));
}
