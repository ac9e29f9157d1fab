import { reporters } from 'mocha';

/**
 * Mocha's spec reporter with a plain closing line that people and scripts read alike. Mocha requires it before anything
 * could compile it.
 */
export class ClosingLineReporter extends reporters.Spec {
  /** @override */
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    endThough(60_000);
    console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
  }
}
/**
 * Mocha ends when nothing is open any more. What was left open by a test is named after a while, and fails the suite
 * instead of holding it for ever.
 */
function endThough(afterMs) {
  setTimeout(() => {
    console.error(`still open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, afterMs).unref();
}

// oxlint-disable-next-line import/no-default-export -- Mocha takes a reporter as a module's default export only
export { ClosingLineReporter as default };
