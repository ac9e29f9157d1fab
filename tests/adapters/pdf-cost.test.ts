import assert from 'node:assert/strict';
import { drawQuote } from '../../adapters/pdf/document.ts';
import { threadCpuMs } from '../../adapters/pdf/thread-cpu.ts';
import { createText, LETTERS, LINES, SCRIPTS } from './heavy-texts.ts';
import { drawingOf, line } from './pdf-drawings.ts';

const MAX_CPU_MS = 3_000;
/**
 * On a slow machine: a multiple of the cost of as many Latin letters in the same process. Shaping words that are all
 * different costs up to 16 times as much; a cost that grows with the square of a length would be hundreds of times as much.
 */
const MAX_TIMES_LATIN = 25;
/** A busy machine costs CPU time too, so the best of several rounds counts. */
const ROUNDS = 3;

const cpuMs = () => threadCpuMs() ?? process.cpuUsage().user / 1_000;

const latinMs = new Map<number, Promise<number>>();
/**
 * A quarter of the lines shows enough: the whole costs at most four times as much. The cost in Latin is only measured when
 * the usual limit was exceeded.
 */
async function assertAffordable(text: () => string, { lines = LINES / 4 } = {}): Promise<void> {
  const ms = await bestCpuMs(text, lines);
  if (isWithin(limitOf(lines), ms)) return;
  const measured = latinMs.get(lines) ?? bestCpuMs(createText(SCRIPTS.Latin), lines);
  latinMs.set(lines, measured);
  const latin = await measured;
  assert.ok(isWithin(MAX_TIMES_LATIN * latin, ms), `${ms.toFixed(0)} ms, in Latin ${latin.toFixed(0)} ms`);
}

const limitOf = (lines: number) => (MAX_CPU_MS * lines) / LINES;
const isWithin = (limitMs: number, ms: number) => ms > 0 && ms <= limitMs;

async function bestCpuMs(text: () => string, lines: number): Promise<number> {
  const drawing = drawingOf(Array.from({ length: lines }, () => line(text())));
  let best = Infinity;
  for (let round = 0; round < ROUNDS && best > limitOf(lines); round += 1) {
    const began = cpuMs();
    await drawQuote({ drawing, logo: null, withoutImages: false });
    best = Math.min(best, cpuMs() - began);
  }
  return best;
}

describe('CPU time of the heaviest valid quote', () => {
  for (const [script, letters] of Object.entries(SCRIPTS)) {
    // The most expensive script is drawn whole.
    const lines = script === 'Hangul' ? LINES : LINES / 4;
    it(`is at most 3 s in ${script}`, () => assertAffordable(createText(letters), { lines }));
  }

  it('is at most 3 s in Arabic without spaces', () => assertAffordable(createText(SCRIPTS.Arabic, { words: false })));

  it('is at most 3 s in mixed scripts', async () => {
    const texts = [SCRIPTS.Latin, SCRIPTS.Arabic, SCRIPTS.Han, SCRIPTS.Hebrew].map((letters) => createText(letters));

    await assertAffordable(() => texts.map((text) => text().slice(0, LETTERS / texts.length)).join(''));
  });
});
