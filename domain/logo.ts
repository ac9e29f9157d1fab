import type { BrandingOfDrawing } from './quote-drawing.ts';

/** The storage key of a logo. The key names the content, and whether the logo is light and needs a dark background. */
export const logoKeyOf = (tenantId: string, { sha256, isLight }: { sha256: string; isLight: boolean }): string =>
  `t/${tenantId}/logo/${sha256}${isLight ? LIGHT : ''}.png`;

const LIGHT = '.light';

/** Whether the logo would be invisible on white. */
export const hasLightLogo = (branding: BrandingOfDrawing | null): boolean =>
  branding?.logoKey?.endsWith(`${LIGHT}.png`) ?? false;
