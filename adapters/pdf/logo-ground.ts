import { hasLightLogo } from '../../domain/logo.ts';
import type { BrandingOfDrawing } from '../../domain/quote-drawing.ts';
import { readableOnWhite } from './color.ts';

const NAVY = '#1f4e79';

/** What stands behind the logo where the paper is white: a light logo needs a dark ground. */
export const logoGround = (branding: BrandingOfDrawing | null): string =>
  hasLightLogo(branding) ? readableOnWhite(branding?.primaryColor ?? NAVY) : '#ffffff';
