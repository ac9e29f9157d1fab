import { contrast, mixed } from '../../adapters/pdf/color.ts';
import type { BrandingOfDrawing } from '../../domain/quote-drawing.ts';
import type { Palette, Theme } from '../../portal/view.ts';

/** The colours of `portal.css` behind the colours of the business. */
interface Grounds {
  /** Of the page and of its cards. */
  readonly grounds: readonly string[];
  readonly surface: string;
  /** Of the surface in the tint: a dark tint needs more of the colour to be seen. */
  readonly share: number;
  /** Text in a colour of the business moves towards this colour until it is readable. */
  readonly towards: string;
}

const LIGHT: Grounds = { grounds: ['#f3f5f8', '#ffffff'], surface: '#ffffff', share: 0.92, towards: '#000000' };
const DARK: Grounds = { grounds: ['#0f151b', '#19212a'], surface: '#19212a', share: 0.84, towards: '#ffffff' };

const DEFAULT = '#1f4e79';
const INK = '#17212b';
/** WCAG 2.2, AA: for text of normal size, and for the areas that identify a control. */
const READABLE = 4.5;
const VISIBLE = 3;
const STEP = 0.05;

/**
 * The colours of the page in both modes: the colour of the business for areas, darkened or lightened for text until it
 * is readable.
 */
export function themeOf(branding: BrandingOfDrawing | null): Theme {
  const brand = branding?.primaryColor ?? branding?.accentColor ?? DEFAULT;
  return {
    light: palette(brand, LIGHT),
    // A dark colour would make the main button as dark as its card.
    dark: palette(
      shifted(brand, DARK.towards, (shade) => contrast(shade, DARK.surface) >= VISIBLE),
      DARK,
    ),
  };
}

function palette(brand: string, { grounds, surface, share, towards }: Grounds): Palette {
  const tint = mixed(brand, surface, share);
  const isReadable = (shade: string) => [tint, ...grounds].every((ground) => contrast(shade, ground) >= READABLE);
  return { brand, onBrand: textOn(brand), brandText: shifted(brand, towards, isReadable), tint };
}

/** The colour itself, or the nearest mixture with `towards` that passes. */
function shifted(color: string, towards: string, passes: (shade: string) => boolean): string {
  for (let share = 0; share < 1; share += STEP) {
    const shade = mixed(color, towards, share);
    if (passes(shade)) return shade;
  }
  return towards;
}

/** Between white and the ink lie colours on which neither is readable; black is readable on all of them. */
const textOn = (ground: string): string =>
  ['#ffffff', INK].find((color) => contrast(color, ground) >= READABLE) ?? '#000000';
