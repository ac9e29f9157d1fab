import { type SignOfLife, signsOfLife, STALE_AFTER_MS } from './alive.ts';

// HEALTHCHECK of the image: exit code 0 while the process beside us lives and, where it serves, serves. It reads no
// settings and loads no package, since it is started every few seconds.

const PATIENCE_MS = 4_000;

async function isWell({ ageMs, probe }: SignOfLife): Promise<boolean> {
  if (ageMs > STALE_AFTER_MS) return false;
  if (probe === null) return true;
  const answer = await fetch(probe, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  return answer?.ok ?? false;
}

const wells = await Promise.all(signsOfLife().map(isWell));
// At once: an answer whose body nobody reads would hold the process.
process.exit(wells.length > 0 && wells.every(Boolean) ? 0 : 1);
