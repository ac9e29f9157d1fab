import assert from 'node:assert/strict';
import { contrast } from '../../adapters/pdf/color.ts';
import { themeOf } from '../../api/portal/theme.ts';
import { assetNamed } from '../../portal/assets.ts';

const CSS = assetNamed('portal.css')?.content.toString() ?? '';

/** The values of a variable of the stylesheet: first light, then dark. */
const inStylesheet = (name: string): readonly string[] =>
  [...CSS.matchAll(new RegExp(`--${name}: (#[0-9a-f]{3,6});`, 'g'))].map(([, value]) => value ?? '');

/** 216 colours, 6 steps of each channel. */
const STEPS = ['00', '33', '66', '99', 'cc', 'ff'];
const COLORS = STEPS.flatMap((r) => STEPS.flatMap((g) => STEPS.map((b) => `#${r}${g}${b}`)));

describe('themeOf', () => {
  for (const [mode, at] of [
    ['light', 0],
    ['dark', 1],
  ] as const) {
    it(`any colour of a business gives readable texts and buttons in ${mode} mode`, () => {
      const grounds = ['ground', 'surface'].map((name) => inStylesheet(name)[at] ?? '');
      const ink = inStylesheet('ink')[at] ?? '';

      const unreadable = [...COLORS, '#FD0', '#abc'].filter((primaryColor) => {
        const { brand, onBrand, brandText, tint } = themeOf({ primaryColor, logoKey: null })[mode];
        const pairs = [[onBrand, brand], [ink, tint], ...[tint, ...grounds].map((ground) => [brandText, ground])];
        return pairs.some(([text = '', ground = '']) => contrast(text, ground) < 4.5);
      });

      assert.deepEqual(
        grounds.map((ground) => ground.startsWith('#')),
        [true, true],
      );
      assert.deepEqual(unreadable, []);
    });
  }

  it('a button is visible on a dark card', () => {
    const [, surface = ''] = inStylesheet('surface');

    const invisible = COLORS.filter(
      (primaryColor) => contrast(themeOf({ primaryColor, logoKey: null }).dark.brand, surface) < 3,
    );

    assert.deepEqual(invisible, []);
  });

  it('the colour of the business itself is used in light mode, and in dark mode if it is visible there', () => {
    const branding = { primaryColor: '#F2B705', logoKey: null };

    assert.deepEqual([themeOf(branding).light.brand, themeOf(branding).dark.brand], ['#F2B705', '#f2b705']);
  });
});
