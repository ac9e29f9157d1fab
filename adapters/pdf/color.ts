/** Colours as #rgb or #rrggbb, and the contrast of text (WCAG 2.2). */

type Channels = readonly [red: number, green: number, blue: number];

/** The contrast that WCAG requires for text of ordinary size. */
const READABLE = 4.5;

/** Each 0 to 255. */
export function channels(color: string): Channels {
  const digits = color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color;
  const value = Number.parseInt(digits.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Relative luminance, 0 to 1. */
function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels; // three in, three out
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Mixes `share` of the second colour into the first. */
export function mixed(color: string, other: string, share: number): string {
  const end = channels(other);
  const hex = channels(color).map((channel, index) =>
    Math.round(channel + ((end[index] ?? 0) - channel) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${hex.join('')}`;
}

/** White or the dark colour, whichever has more contrast on the background. */
export const textOn = (ground: string, dark: string): string =>
  contrast('#ffffff', ground) >= contrast(dark, ground) ? '#ffffff' : dark;

/** The colour itself, or darkened until text in it is readable on white. */
export function readableOnWhite(color: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const shade = mixed(color, '#000000', share);
    if (contrast(shade, '#ffffff') >= READABLE) return shade;
  }
  return '#000000';
}
