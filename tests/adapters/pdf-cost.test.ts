import assert from 'node:assert/strict';
import { drawQuote } from '../../adapters/pdf/document.ts';
import { threadCpuMs } from '../../adapters/pdf/thread-cpu.ts';
import { createText, LETTERS, LINES, SCRIPTS } from './heavy-texts.ts';
import { drawingOf, line } from './pdf-drawings.ts';

const MAX_CPU_MS = 3_000;
/** On a slow machine: a multiple of the cost of the same number of Latin letters in the same process. */
const MAX_TIMES_LATIN = 4;
/** A busy machine costs CPU time too, so the best of several rounds counts. */
const ROUNDS = 3;

const cpuMs = () => threadCpuMs() ?? process.cpuUsage().user / 1_000;

let latinMs: Promise<number> | undefined;
/** The limit on this machine. The cost in Latin is only measured when the usual limit was exceeded. */
async function assertAffordable(ms: number): Promise<void> {
  if (ms > 0 && ms <= MAX_CPU_MS) return;
  const latin = await (latinMs ??= bestCpuMs(createText(SCRIPTS.Latin)));
  assert.ok(ms > 0 && ms <= MAX_TIMES_LATIN * latin, `${ms.toFixed(0)} ms, in Latin ${latin.toFixed(0)} ms`);
}

async function bestCpuMs(text: () => string): Promise<number> {
  const drawing = drawingOf(Array.from({ length: LINES }, () => line(text())));
  let best = Infinity;
  for (let round = 0; round < ROUNDS && best > MAX_CPU_MS; round += 1) {
    const began = cpuMs();
    await drawQuote({ drawing, logo: null, withoutImages: false });
    best = Math.min(best, cpuMs() - began);
  }
  return best;
}

describe('CPU time of the heaviest valid quote', () => {
  for (const [script, letters] of Object.entries(SCRIPTS)) {
    it(`is at most 3 s in ${script}`, async () => {
      const ms = await bestCpuMs(createText(letters));

      await assertAffordable(ms);
    });
  }

  it('is at most 3 s in Arabic without spaces', async () => {
    const ms = await bestCpuMs(createText(SCRIPTS.Arabic, { words: false }));

    await assertAffordable(ms);
  });

  it('is at most 3 s in mixed scripts', async () => {
    const texts = [SCRIPTS.Latin, SCRIPTS.Arabic, SCRIPTS.Han, SCRIPTS.Hebrew].map((letters) => createText(letters));
    const ms = await bestCpuMs(() => texts.map((text) => text().slice(0, LETTERS / texts.length)).join(''));

    await assertAffordable(ms);
  });
});
