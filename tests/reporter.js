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
    console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
  }
}
// oxlint-disable-next-line import/no-default-export -- Mocha takes a reporter as a module's default export only
export { ClosingLineReporter as default };
