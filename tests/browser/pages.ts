import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

/**
 * The Chromium of the run and its pages. A new context costs more CPU than most tests, because Chromium starts a process
 * for it, so a page is reset and used again.
 */

let starting: Promise<Browser> | undefined;

/** The one Chromium of the run, started by the first test that opens a page. */
export const browser = (): Promise<Browser> =>
  (starting ??= chromium.launch({
    executablePath: findChromium(),
    // Chromium's sandbox refuses root; only our own pages are opened.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-dev-shm-usage', '--font-render-hinting=none'],
  }));

export const closeBrowser = async (): Promise<void> => (await starting)?.close();

/** What only a new context can have; pages with the same values are interchangeable. */
type Fixed = Pick<BrowserContextOptions, 'javaScriptEnabled' | 'timezoneId' | 'permissions'>;

/** How a test opens a page. */
export interface Opening extends Fixed, Pick<BrowserContextOptions, 'colorScheme' | 'reducedMotion'> {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly storageState?: { readonly cookies: Parameters<BrowserContext['addCookies']>[0] };
}

interface Kept {
  readonly key: string;
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Each idle page is a process of Chromium. */
const MAX_IDLE = 4;

/** Reset pages, the longest unused first. */
const idle: Kept[] = [];

/** A page without a document, cookies and stored data. */
export async function takePage(fixed: Fixed): Promise<Kept> {
  const key = JSON.stringify([fixed.javaScriptEnabled ?? true, fixed.timezoneId, fixed.permissions]);
  const found = idle.findLastIndex((kept) => kept.key === key);
  const [kept] = found === -1 ? [] : idle.splice(found, 1);
  if (kept) return kept;
  const context = await (await browser()).newContext({ locale: 'es-MX', timezoneId: 'America/Mexico_City', ...fixed });
  context.setDefaultTimeout(20_000);
  await context.addInitScript(
    "document.addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`))",
  );
  return { key, context, page: await context.newPage() };
}

/** Resets a page for the next test; one that cannot be reset is closed. */
export async function giveBack(kept: Kept): Promise<void> {
  const { context } = kept;
  try {
    await reset(kept);
  } catch {
    return context.close();
  }
  idle.push(kept);
  if (idle.length > MAX_IDLE) await idle.shift()?.context.close();
}

async function reset({ context, page }: Kept): Promise<void> {
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearCookies(),
    ...context.pages().flatMap((other) => (other === page ? [] : [other.close()])),
    page.emulateMedia({ media: null }),
    page.evaluate('localStorage.clear(); sessionStorage.clear()'),
  ]);
  page.removeAllListeners('request');
  await page.goto('about:blank');
  // A pointer that stays where a test clicked would hover over the next page.
  await page.mouse.move(0, 0);
}
