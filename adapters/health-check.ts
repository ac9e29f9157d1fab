import { type Heartbeat, readHeartbeats, STALE_AFTER_MS } from './heartbeat-file.ts';

// HEALTHCHECK of the image: exit code 0 while the container's process lives and, if it serves, responds. Reads no
// settings and loads no package, because it is started every few seconds.

const TIMEOUT_MS = 4_000;

async function isWell({ ageMs, probe }: Heartbeat): Promise<boolean> {
  if (ageMs > STALE_AFTER_MS) return false;
  if (probe === null) return true;
  const answer = await fetch(probe, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
  return answer?.ok ?? false;
}

const wells = await Promise.all(readHeartbeats().map(isWell));
// Exit explicitly: a response whose body is not read would keep the process alive.
process.exit(wells.length > 0 && wells.every(Boolean) ? 0 : 1);
