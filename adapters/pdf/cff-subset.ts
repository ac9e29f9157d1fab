import { type Charstring, withoutCalls } from './charstring.ts';

type Extents = Charstring['global'];

/** Of a part of the font's glyphs; `Private` has their hints. */
interface FontDict {
  readonly FontName?: unknown;
  readonly Private?: { readonly Subrs?: Extents | undefined };
}

interface TopDict {
  readonly CharStrings: Extents;
  FDArray: readonly FontDict[];
  FDSelect: unknown;
}

/** fontkit's subset of a CFF font. Not a public interface; the version is pinned, and tests compare the outlines. */
interface CffSubset {
  /** By number in the subset. */
  readonly glyphs: readonly number[];
  readonly cff: {
    readonly isCIDFont: boolean;
    readonly stream: { readonly buffer: Uint8Array };
    readonly topDict: TopDict;
    readonly globalSubrIndex: Extents;
    fdForGlyph(glyph: number): number;
  };
  charstrings: readonly Uint8Array[];
  gsubrs: readonly Uint8Array[];
  subsetCharstrings(): void;
  subsetFontdict(topDict: TopDict): void;
}

/**
 * Embeds glyphs without subroutines. A font for Chinese or Korean has more than 20,000, and fontkit writes most of them,
 * the unused ones as empty: in a short document that took longer, and more of the file, than all else.
 */
export function embedWithoutSubroutines(subset: CffSubset): void {
  const { glyphs, cff } = subset;

  subset.subsetCharstrings = () => {
    const { CharStrings, FDArray } = cff.topDict;
    subset.gsubrs = [];
    subset.charstrings = glyphs.map((glyph) =>
      withoutCalls({
        file: cff.stream.buffer,
        program: CharStrings[glyph] ?? NO_PROGRAM,
        local: FDArray[cff.fdForGlyph(glyph)]?.Private?.Subrs ?? [],
        global: cff.globalSubrIndex,
      }),
    );
  };

  subset.subsetFontdict = (topDict) => {
    const used = [...new Set(glyphs.map((glyph) => cff.fdForGlyph(glyph)))];
    topDict.FDSelect = { version: 0, fds: glyphs.map((glyph) => used.indexOf(cff.fdForGlyph(glyph))) };
    topDict.FDArray = used.map((index) => {
      const { FontName: _, ...dict } = cff.topDict.FDArray[index] ?? {};
      return dict.Private ? { ...dict, Private: { ...dict.Private, Subrs: undefined } } : dict;
    });
  };
}

export const isCffSubset = (subset: object): subset is CffSubset =>
  'cff' in subset && (subset as CffSubset).cff.isCIDFont;

const NO_PROGRAM = { offset: 0, length: 0 } as const;
