import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { PdfFailed, type PdfFailure } from '../../adapters/pdf/failure.ts';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { eventually } from '../eventually.ts';
import { drawingOf, line } from './pdf-drawings.ts';
import { TEST_PERMIT } from './test-permit.ts';

const small = () => drawingOf([line('Cemento')]);

/** Takes about a second to draw; other numbers of lines take proportionally longer or shorter. */
const large = (lines = 600) =>
  drawingOf(Array.from({ length: lines }, (_, index) => line(`${index} ${'palabra '.repeat(248)}`)));

/** More lines than the thread's heap can hold. */
const enormous = () => drawingOf([line('Cemento')], { notes: 'a\n'.repeat(2_000_000) });

const failedWith = (reason: PdfFailure) => (error: unknown) => error instanceof PdfFailed && error.reason === reason;

const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString() === '%PDF-';

describe('PDF renderer', () => {
  it('fails a job that exceeds its deadline, and draws the next one', async () => {
    const pdf = createPdfRenderer({ deadlineMs: 300 });

    await assert.rejects(pdf.render(large(2_000), TEST_PERMIT), failedWith('deadline'));

    // On a slow machine the first small one can miss the same deadline, in a thread that has just been started.
    assert.ok(isPdf(await eventually(() => pdf.render(small(), TEST_PERMIT))));
    await pdf.close();
  });

  it('fails a job that kills the thread, and draws the next one', async () => {
    const pdf = createPdfRenderer({ deadlineMs: 50_000, maxHeapMb: 64 });

    const deadly = pdf.render(enormous(), TEST_PERMIT);
    const next = pdf.render(small(), TEST_PERMIT);

    await assert.rejects(deadly, failedWith('crashed'));
    assert.ok(isPdf(await next));
    await pdf.close();
  });

  it('fails an invalid drawing, and draws the next one', async () => {
    const pdf = createPdfRenderer();

    const senseless = pdf.render({ ...small(), createdAt: 'yesterday' }, TEST_PERMIT);
    const next = pdf.render(small(), TEST_PERMIT);

    await assert.rejects(senseless, failedWith('refused'));
    assert.ok(isPdf(await next));
    await pdf.close();
  });

  it('refuses a drawing that exceeded its CPU budget without a second try, and draws others', async () => {
    let begun = 0;
    const watch = { depth: () => {}, refused: () => {}, waited: () => (begun += 1) };
    const pdf = createPdfRenderer({ cpuBudgetMs: 200, watch });

    await assert.rejects(pdf.render(large(), TEST_PERMIT), failedWith('over_budget'));
    await assert.rejects(pdf.render(large(), TEST_PERMIT), failedWith('over_budget'));
    assert.equal(begun, 1);

    assert.ok(isPdf(await pdf.render(small(), TEST_PERMIT)));
    await pdf.close();
  });

  it('retries a drawing that only missed its deadline', async () => {
    const pdf = createPdfRenderer({ deadlineMs: 300, cpuBudgetMs: 60_000 });

    await assert.rejects(pdf.render(large(2_000), TEST_PERMIT), failedWith('deadline'));

    await assert.rejects(pdf.render(large(2_000), TEST_PERMIT), failedWith('deadline'));
    await pdf.close();
  });

  it('draws the quote of one tenant while another requests large ones continuously', async () => {
    const pdf = createPdfRenderer();
    const order: string[] = [];
    const ask = async (key: string, drawing = small()) => {
      await pdf.render(drawing, { key });
      order.push(key);
    };

    await Promise.all([...Array.from({ length: 5 }, () => ask('busy', large(50))), ask('other')]);

    assert.ok(order.indexOf('other') < 3, order.join());
    await pdf.close();
  });

  it('never begins a drawing whose caller disconnected while it waited', async () => {
    const pdf = createPdfRenderer();
    const caller = new AbortController();
    const running = pdf.render(large(50), { key: 'a' });
    const left = pdf.render(large(50), { key: 'a', signal: caller.signal });

    caller.abort();

    await assert.rejects(left, { kind: 'unavailable' });
    await running;
    await pdf.close();
  });

  it('fails waiting jobs when it is closed, and later ones', async () => {
    const pdf = createPdfRenderer();
    await pdf.render(small(), TEST_PERMIT);
    const running = assert.rejects(pdf.render(large(), TEST_PERMIT), failedWith('closed'));
    const waiting = assert.rejects(pdf.render(small(), TEST_PERMIT), failedWith('closed'));

    await setImmediate();
    await pdf.close();

    await Promise.all([running, waiting]);
    await assert.rejects(pdf.render(small(), TEST_PERMIT), failedWith('closed'));
  });

  it('leaves the event loop free while it draws four large quotes', async () => {
    // Not a test of the time on a busy machine.
    const pdf = createPdfRenderer({ deadlineMs: 50_000, cpuBudgetMs: 50_000 });
    await pdf.render(small(), TEST_PERMIT);
    const drawings = Array.from({ length: 4 }, () => large(200));

    const before = performance.eventLoopUtilization();
    await Promise.all(drawings.map((drawing) => pdf.render(drawing, TEST_PERMIT)));

    // Near 1 when it is drawn on this thread. Unlike a lag, a suspended machine does not count as work.
    const { utilization } = performance.eventLoopUtilization(before);
    assert.ok(utilization < 0.125, `busy for ${utilization.toFixed(2)} of the time`);
    await pdf.close();
  });
});
