import { assertDocumentedEvents } from '../api/event-bodies.ts';
import { install, type Installation } from '../installation.ts';

export type { Installation } from '../installation.ts';

let installing: Promise<Installation> | undefined;

/**
 * The installation of this run, started by the first journey that asks; not the servers shared by other tests, which
 * would be disturbed. A journey leaves it as it found it.
 */
export const installation = (): Promise<Installation> => (installing ??= install());

// A root hook: this module is loaded while Mocha collects the tests, outside of any describe.
after(async () => {
  const installed = await installing;
  if (!installed) return;
  try {
    await assertDocumentedEvents(installed.env);
  } finally {
    await installed.remove();
  }
});
