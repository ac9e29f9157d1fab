import assert from 'node:assert/strict';
import { drawQuote } from '../../adapters/pdf/document.ts';
import { threadCpuMs } from '../../adapters/pdf/thread-cpu.ts';
import { createText, LETTERS, LINES, SCRIPTS } from './heavy-texts.ts';
import { drawingOf, line } from './pdf-drawings.ts';

const MAX_CPU_MS = 3_000;
/**
 * On a slow machine: a multiple of the cost of as many Latin letters in the same process. Shaping words that are all
 * different costs up to 14 times as much; a cost that grows with the square of a length would be hundreds of times as much.
 */
const MAX_TIMES_LATIN = 20;
/** A busy machine costs CPU time too, so the best of several rounds counts. */
const ROUNDS = 3;

const cpuMs = () => threadCpuMs() ?? process.cpuUsage().user / 1_000;

let latinMs: Promise<number> | undefined;
/**
 * The cost of a quarter is measured first: the whole costs at most four times as much. The cost in Latin is only measured
 * when the usual limit was exceeded.
 */
async function assertAffordable(text: () => string, { quarterFirst = true } = {}): Promise<void> {
  if (quarterFirst && isWithin(MAX_CPU_MS / 4, await bestCpuMs(text, LINES / 4))) return;
  const ms = await bestCpuMs(text, LINES);
  if (isWithin(MAX_CPU_MS, ms)) return;
  const latin = await (latinMs ??= bestCpuMs(createText(SCRIPTS.Latin), LINES));
  assert.ok(isWithin(MAX_TIMES_LATIN * latin, ms), `${ms.toFixed(0)} ms, in Latin ${latin.toFixed(0)} ms`);
}

const isWithin = (limitMs: number, ms: number) => ms > 0 && ms <= limitMs;

async function bestCpuMs(text: () => string, lines: number): Promise<number> {
  const drawing = drawingOf(Array.from({ length: lines }, () => line(text())));
  const limit = (MAX_CPU_MS * lines) / LINES;
  let best = Infinity;
  for (let round = 0; round < ROUNDS && best > limit; round += 1) {
    const began = cpuMs();
    await drawQuote({ drawing, logo: null, withoutImages: false });
    best = Math.min(best, cpuMs() - began);
  }
  return best;
}

describe('CPU time of the heaviest valid quote', () => {
  for (const [script, letters] of Object.entries(SCRIPTS)) {
    // The most expensive script is always drawn whole.
    const quarterFirst = script !== 'Hangul';
    it(`is at most 3 s in ${script}`, () => assertAffordable(createText(letters), { quarterFirst }));
  }

  it('is at most 3 s in Arabic without spaces', () => assertAffordable(createText(SCRIPTS.Arabic, { words: false })));

  it('is at most 3 s in mixed scripts', async () => {
    const texts = [SCRIPTS.Latin, SCRIPTS.Arabic, SCRIPTS.Han, SCRIPTS.Hebrew].map((letters) => createText(letters));

    await assertAffordable(() => texts.map((text) => text().slice(0, LETTERS / texts.length)).join(''));
  });
});
