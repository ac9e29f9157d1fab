import { contrast, mixed, textOn } from '../../adapters/pdf/color.ts';
import type { BrandingOfDrawing } from '../../domain/quote-drawing.ts';
import type { Theme } from '../../portal/view.ts';

const DEFAULT = '#1f4e79';
const INK = '#17212b';
const GROUND = '#f3f5f8';
/** WCAG 2.2, AA, for text of normal size. */
const READABLE = 4.5;

/** The colours of the page: the colour of the business for areas, darkened for text until it is readable. */
export function themeOf(branding: BrandingOfDrawing | null): Theme {
  const brand = branding?.primaryColor ?? branding?.accentColor ?? DEFAULT;
  const tint = mixed(brand, '#ffffff', 0.92);
  return { brand, onBrand: textOn(brand, INK), brandText: readableOn([tint, GROUND], brand), tint };
}

function readableOn(grounds: readonly string[], color: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const shade = mixed(color, '#000000', share);
    if (grounds.every((ground) => contrast(shade, ground) >= READABLE)) return shade;
  }
  return '#000000';
}
