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

/** By number of lines. */
const latinMs = new Map<number, Promise<number>>();

/** A quarter of the lines shows enough: the whole costs at most four times as much. */
async function assertAffordable(text: () => string, { lines = LINES / 4 } = {}): Promise<void> {
  const limit = (MAX_CPU_MS * lines) / LINES;
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    best = Math.min(best, await costOf(text, lines));
    assert.ok(best > 0, 'nothing was measured');
    if (best <= limit) return;
    const latin = latinMs.get(lines) ?? costOf(createText(SCRIPTS.Latin), lines);
    latinMs.set(lines, latin);
    if (best <= MAX_TIMES_LATIN * (await latin)) return;
  }
  assert.fail(`${best.toFixed(0)} ms, in Latin ${(await latinMs.get(lines))?.toFixed(0)} ms`);
}

async function costOf(text: () => string, lines: number): Promise<number> {
  const drawing = drawingOf(Array.from({ length: lines }, () => line(text())));
  const began = cpuMs();
  await drawQuote({ drawing, logo: null, withoutImages: false });
  return cpuMs() - began;
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
