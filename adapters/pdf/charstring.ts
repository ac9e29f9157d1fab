/** Part of a font's file. */
interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** Of a glyph: its program, and the subroutines that it may call. */
export interface Charstring {
  readonly file: Uint8Array;
  readonly program: Extent;
  readonly local: readonly Extent[];
  readonly global: readonly Extent[];
}

/** Operators of Type 2 charstrings (Adobe Technical Note 5177). */
const OP = { hstem: 1, vstem: 3, callsubr: 10, return: 11, escape: 12, hstemhm: 18, hintmask: 19, cntrmask: 20, vstemhm: 23, shortint: 28, callgsubr: 29 } as const; // prettier-ignore
const STEMS: ReadonlySet<number> = new Set([OP.hstem, OP.vstem, OP.hstemhm, OP.vstemhm]);

/** The program with the code of its subroutines in place of the calls. */
export function withoutCalls({ file, program, local, global }: Charstring): Uint8Array {
  const bytes: number[] = [];
  /** Where each operand on the stack starts in `bytes`. */
  let operands: number[] = [];
  let stems = 0;

  function call(subroutines: readonly Extent[]): void {
    const start = operands.pop() ?? 0;
    const index = numberAt(bytes, start) + biasOf(subroutines.length);
    bytes.length = start;
    const subroutine = subroutines[index];
    if (!subroutine) throw new Error(`no subroutine ${index}`);
    copy(subroutine);
  }

  function copy({ offset, length }: Extent): void {
    const end = offset + length;
    let at = offset;
    while (at < end) {
      const first = file[at] ?? 0;
      if (first === OP.return) return;
      if (first === OP.callsubr || first === OP.callgsubr) {
        call(first === OP.callsubr ? local : global);
        at += 1;
        continue;
      }
      let size = 1;
      if (first >= 32 || first === OP.shortint) {
        operands.push(bytes.length);
        size = numberSize(first);
      } else {
        const isMask = first === OP.hintmask || first === OP.cntrmask;
        if (isMask || STEMS.has(first)) stems += operands.length >> 1;
        // A mask has one bit for each stem.
        if (isMask) size = 1 + ((stems + 7) >> 3);
        if (first === OP.escape) size = 2;
        operands = [];
      }
      for (const next = at + size; at < next; at += 1) bytes.push(file[at] ?? 0);
    }
  }

  copy(program);
  return Uint8Array.from(bytes);
}

/** Subroutines are numbered from a negative number on, so that more of the numbers are short. */
const biasOf = (count: number): number => (count < 1_240 ? 107 : count < 33_900 ? 1_131 : 32_768);

const numberSize = (first: number): number => (first === 255 ? 5 : first === OP.shortint ? 3 : first < 247 ? 1 : 2);

/** A whole number, as subroutines have. */
function numberAt(bytes: readonly number[], at: number): number {
  const [first = 0, second = 0, third = 0] = bytes.slice(at, at + 3);
  if (first === OP.shortint) return (((second << 8) | third) << 16) >> 16;
  if (first < 247) return first - 139;
  return first < 251 ? (first - 247) * 256 + second + 108 : (251 - first) * 256 - second - 108;
}
