import { appendFile } from 'node:fs/promises';

/** One line of the reliability table. */
export interface Finding {
  readonly fault: string;
  readonly times: number;
  /** How many of them were kill -9. */
  readonly kills: number;
  /** The number of checked facts. */
  readonly invariants: string;
  readonly result: string;
  readonly lost: number;
  readonly doubled: number;
}

/** Writes a line for `docs/reliability.md`, if a long run names a file for it. */
export async function report(finding: Finding): Promise<void> {
  const file = process.env['CHAOS_REPORT']; // oxlint-disable-line node/no-process-env -- set by tests/chaos/run.ts, not a setting of the product
  console.log(`      ${finding.fault}: ${finding.result}`);
  if (file) await appendFile(file, `${JSON.stringify({ ...finding, at: new Date().toISOString() })}\n`);
}

/** Whether the long form runs. */
export const isLong = (): boolean => process.env['CHAOS_FORM'] === 'long'; // oxlint-disable-line node/no-process-env -- as above
