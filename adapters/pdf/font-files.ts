import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as fontkit from 'fontkit';

const { resolve } = createRequire(import.meta.url);

/** A package without exported paths is found by its main module; `up` leads from there to its fonts. */
const beside = (packageName: string, up: string): string => join(resolve(packageName), up);

const DEJAVU = 'dejavu-fonts-ttf/ttf';
/** The client's page loads the same files. */
const SCRIPT = '@fontsource/dancing-script/files/dancing-script';

/** The embedded fonts, all with free licences: docs/dependencies.md. */
const FILES = {
  sans: () => resolve(`${DEJAVU}/DejaVuSansCondensed.ttf`),
  'sans-bold': () => resolve(`${DEJAVU}/DejaVuSansCondensed-Bold.ttf`),
  'sans-italic': () => resolve(`${DEJAVU}/DejaVuSansCondensed-Oblique.ttf`),
  serif: () => resolve(`${DEJAVU}/DejaVuSerifCondensed.ttf`),
  'serif-bold': () => resolve(`${DEJAVU}/DejaVuSerifCondensed-Bold.ttf`),
  'serif-italic': () => resolve(`${DEJAVU}/DejaVuSerifCondensed-Italic.ttf`),
  script: () => resolve(`${SCRIPT}-latin-400-normal.woff2`),
  'script-extended': () => resolve(`${SCRIPT}-latin-ext-400-normal.woff2`),
  mono: () => resolve(`${DEJAVU}/DejaVuSansMono.ttf`),
  'mono-bold': () => resolve(`${DEJAVU}/DejaVuSansMono-Bold.ttf`),
  'mono-italic': () => resolve(`${DEJAVU}/DejaVuSansMono-Oblique.ttf`),
  'right-to-left': () => resolve(`${DEJAVU}/DejaVuSans.ttf`),
  'right-to-left-bold': () => resolve(`${DEJAVU}/DejaVuSans-Bold.ttf`),
  han: () => beside('@embedpdf/fonts-sc', '../../fonts/NotoSansHans-Regular.otf'),
  'han-bold': () => beside('@embedpdf/fonts-sc', '../../fonts/NotoSansHans-Bold.otf'),
  hangul: () => beside('@embedpdf/fonts-kr', '../../fonts/NotoSansKR-Regular.otf'),
  'hangul-bold': () => beside('@embedpdf/fonts-kr', '../../fonts/NotoSansKR-Bold.otf'),
  emoji: () => resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
} as const;

export type FontFile = keyof typeof FILES;

const opened = new Map<FontFile, fontkit.Font>();

/**
 * The parsed font; each is read once per thread, because parsing takes longer than drawing a quote. Call it once per
 * document: it clears what the previous one left.
 */
export function openFont(name: FontFile): fontkit.Font {
  const font = opened.get(name) ?? parse(name);
  opened.set(name, font);
  // A glyph keeps the first character that it was used for, and that is written to the file: without this the bytes of
  // a document would depend on earlier ones. Not a public interface; the version is pinned, and a test compares bytes.
  Reflect.set(font, '_glyphs', {});
  return font;
}

function parse(name: FontFile): fontkit.Font {
  const font = fontkit.create(readFileSync(FILES[name]()));
  if ('fonts' in font) throw new Error(`${name} is a collection of fonts`);
  return font;
}
