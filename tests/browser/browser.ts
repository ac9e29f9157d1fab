import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Credential } from '../api/service.ts';
import { installation } from '../journey/installation.ts';
import { findChromium } from './chromium.ts';

/** The widths of the tests: a phone and a desktop. */
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 900 };

let starting: Promise<Browser> | undefined;

/** The one Chromium of the run, started by the first test that opens a page. */
const browser = (): Promise<Browser> =>
  (starting ??= chromium.launch({
    executablePath: findChromium(),
    // Chromium's sandbox refuses root; only our own pages are opened.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-dev-shm-usage', '--font-render-hinting=none'],
  }));

// Root hooks: this module is loaded while Mocha collects the tests, outside of any describe.
before(async function () {
  // The servers start here, and on a fresh machine Chromium is installed.
  this.timeout(300_000);
  await Promise.all([installation(), browser()]);
});
after(async () => {
  await (await starting)?.close();
});

/** A page with its reported errors. Closing it closes its context. */
export interface Watched extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the console and of scripts, and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Requested addresses outside the service. */
  readonly foreign: readonly string[];
}

/** Opens an address in a fresh browser context. */
export async function open(url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await (
    await browser()
  ).newContext({
    viewport: PHONE,
    reducedMotion: 'reduce',
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    ...options,
  });
  context.setDefaultTimeout(20_000);
  const { origin } = new URL(url);
  const complaints: string[] = [];
  const foreign: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith('data:') && new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  await context.addInitScript(
    "document.addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`))",
  );
  const page = await context.newPage();
  page.on('console', (message) => {
    // Chromium logs every response of 400 and more, including the page's own, which tests assert separately.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of');
    if (message.type() === 'error' && !isStatus) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints, foreign, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens a page of the console with the session of a request header. */
export async function openAs(
  { Cookie = '' }: Credential,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const { http } = await installation();
  const [name = '', value = ''] = Cookie.split('=');
  const cookie = { name, value, domain: new URL(http.url).hostname, path: '/', expires: -1 };
  const storageState = {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' as const }],
    origins: [],
  };
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

/**
 * What must hold at any width, light and dark: the violations as lines, from axe and for sideways scrolling. The other
 * mode has the same markup, so that only the rules about colours run again.
 */
export async function flaws(page: Page, sizes: readonly { width: number; height: number }[] = [PHONE, DESK]) {
  const found: string[] = [];
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  for (const size of sizes) {
    await page.setViewportSize(size);
    const wider = await overflow(page);
    if (wider > 0) found.push(`${size.width} px: ${wider} px wider than the window`);
    found.push(...(await violations(page)).map((line) => `${size.width} px: ${line}`));
    await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
    const other = await findings(page, { runOnly: COLOR_RULES });
    found.push(...other.map((line) => `${size.width} px, ${isDark ? 'light' : 'dark'}: ${line}`));
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  }
  return found;
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
