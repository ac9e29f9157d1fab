import { hasLightLogo } from '../../domain/logo.ts';
import type { BrandingOfDrawing } from '../../domain/quote-drawing.ts';
import { readableOnWhite } from './color.ts';

const NAVY = '#1f4e79';

/** The background of the logo on white paper: a light logo needs a dark one. */
export const logoGround = (branding: BrandingOfDrawing | null): string =>
  hasLightLogo(branding) ? readableOnWhite(branding?.primaryColor ?? NAVY) : '#ffffff';
