import type { BrandingOfDrawing } from './quote-drawing.ts';

/** Where a logo is stored. The key names what the file shows, and whether it is light and meant for a dark ground. */
export const logoKeyOf = (tenantId: string, { sha256, isLight }: { sha256: string; isLight: boolean }): string =>
  `t/${tenantId}/logo/${sha256}${isLight ? LIGHT : ''}.png`;

const LIGHT = '.light';

/** Whether the logo would not be seen on white. */
export const hasLightLogo = (branding: BrandingOfDrawing | null): boolean =>
  branding?.logoKey?.endsWith(`${LIGHT}.png`) ?? false;
