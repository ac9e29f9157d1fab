import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { ConsoleMessage, Page, Request } from 'playwright-core';
import type { Credential } from '../api/service.ts';
import { installation } from '../journey/installation.ts';
import { browser, closeBrowser, giveBack, type Opening, takePage } from './pages.ts';

export type { Opening } from './pages.ts';

/** The widths of the tests: a phone and a desktop. */
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 900 };

// Root hooks: this module is loaded while Mocha collects the tests, outside of any describe.
before(async function () {
  // The servers start here, and on a fresh machine Chromium is installed.
  this.timeout(300_000);
  await Promise.all([installation(), browser()]);
});
after(closeBrowser);

/** A page with its reported errors. Disposing it resets the page for another test. */
export interface Watched extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the console and of scripts, and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Requested addresses outside the service. */
  readonly foreign: readonly string[];
}

/** Opens an address without cookies and stored data. */
export async function open(url: string, { viewport = PHONE, ...options }: Opening = {}): Promise<Watched> {
  const { colorScheme = 'light', reducedMotion = 'reduce', storageState, ...rest } = options;
  const kept = await takePage(rest);
  const { context, page } = kept;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion });
  if (storageState) await context.addCookies([...storageState.cookies]);
  const { origin } = new URL(url);
  const complaints: string[] = [];
  const foreign: string[] = [];
  const onRequest = (request: Request) => {
    if (!request.url().startsWith('data:') && new URL(request.url()).origin !== origin) foreign.push(request.url());
  };
  const onConsole = (message: ConsoleMessage) => {
    // Chromium logs every response of 400 and more, including the page's own, which tests assert separately.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of');
    if (message.type() === 'error' && !isStatus) complaints.push(message.text());
  };
  const onError = (error: Error) => complaints.push(String(error));
  context.on('request', onRequest);
  page.on('console', onConsole);
  page.on('pageerror', onError);
  await page.goto(url);
  return {
    page,
    complaints,
    foreign,
    async [Symbol.asyncDispose]() {
      context.off('request', onRequest);
      page.off('console', onConsole);
      page.off('pageerror', onError);
      await giveBack(kept);
    },
  };
}

/** Opens a page of the console with the session of a request header. */
export async function openAs({ Cookie = '' }: Credential, path: string, options: Opening = {}): Promise<Watched> {
  const { http } = await installation();
  const [name = '', value = ''] = Cookie.split('=');
  const cookie = { name, value, domain: new URL(http.url).hostname, path: '/', expires: -1 };
  const storageState = { cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' as const }] };
  return open(`${http.url}${path}`, { viewport: DESK, ...options, storageState });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules that depend on colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The findings of axe on the current page, a line per element; none when it is accessible. */
export const violations = (page: Page): Promise<readonly string[]> => findings(page, { runOnly: TAGS });

async function findings(page: Page, rules: { runOnly: readonly string[] }): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'], iframes: false, preload: false });
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Pixels by which the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Findings at a width: of axe, and pixels that are wider than the window. */
async function flawsAt(page: Page, size: { width: number; height: number }): Promise<readonly string[]> {
  await page.setViewportSize(size);
  const wider = await overflow(page);
  return [...(wider > 0 ? [`${wider} px wider than the window`] : []), ...(await violations(page))].map(
    (line) => `${size.width} px: ${line}`,
  );
}

/** Runs a check while the page has the colours of the other scheme. */
async function inOtherColors<T>(page: Page, check: () => Promise<T>): Promise<T> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  const found = await check();
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return found;
}

const named = (findings: readonly string[]) => findings.map((line) => `in the other colours, ${line}`);

/** The findings at both widths: on a phone in the colours of the page, on a desk in those of the other scheme. */
export const flaws = async (page: Page): Promise<readonly string[]> => [
  ...(await flawsAt(page, PHONE)),
  ...named(await inOtherColors(page, () => flawsAt(page, DESK))),
];

/** The findings at each width, light and dark, for pages with elements that one width alone has. */
export async function allFlaws(page: Page, sizes: readonly { width: number; height: number }[] = [PHONE, DESK]) {
  const found: string[] = [];
  for (const size of sizes) {
    found.push(...(await flawsAt(page, size)));
    // The markup is the same.
    found.push(...named(await inOtherColors(page, () => findings(page, { runOnly: COLOR_RULES }))));
  }
  return found;
}

/** The findings on a page that `flaws` has checked in another language: its texts are longer, its colours the same. */
export async function textFlaws(page: Page): Promise<readonly string[]> {
  const found = [...(await flawsAt(page, PHONE))];
  await page.setViewportSize(DESK);
  const wider = await overflow(page);
  return wider > 0 ? [...found, `${DESK.width} px: ${wider} px wider than the window`] : found;
}

/** With SHOTS=<folder> the page is kept as a picture. */
export async function keep(page: Page, name: string): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- set by a person who looks at the pages, not a setting of the product
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** The page at both widths, light and dark. */
export async function keepAll(page: Page, name: string): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- as above
  if (process.env['SHOTS'] === undefined) return;
  for (const viewport of [PHONE, DESK])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await keep(page, `${name}-${viewport.width}-${colorScheme}`);
    }
  await page.emulateMedia({ colorScheme: 'light' });
}
