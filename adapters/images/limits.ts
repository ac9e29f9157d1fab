/** Longest side of a stored logo, in pixels. */
export const LOGO_SIDE = 600;
/** Of a logo, and of all images inside one: 5,000 × 5,000. Decoded, each pixel takes four bytes. */
export const MAX_MEGAPIXELS = 25;
export const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000;
