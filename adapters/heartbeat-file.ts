import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The liveness probe of containers: the process writes a heartbeat file periodically, which also says where the process
 * can be asked, and `health-check.ts` reads it. A process that hangs or has died writes no more.
 */

const HEARTBEAT_INTERVAL_MS = 5_000;
/** Late writes are normal on a busy machine; this many missed ones are not. */
export const STALE_AFTER_MS = 30_000;
/** The folder of heartbeat files. Only the image sets it: elsewhere nothing reads them, so nothing is written. */
const folder = () => process.env['HEARTBEAT_DIR']; // oxlint-disable-line node/no-process-env -- set by the image, not a setting of the product; the health check reads no others
const NAME = /^quoting-[a-z]+\.alive$/;

export interface Heartbeat {
  /** Milliseconds since the file was written. */
  readonly ageMs: number;
  /** An address that answers 2xx while the process serves; null for a process without one. */
  readonly probe: string | null;
}

/**
 * Writes the heartbeat now and periodically until the returned function is called. Two processes of one name must not
 * share the folder.
 */
export function writeHeartbeats(name: 'api' | 'worker' | 'codec', probe: string | null = null): () => void {
  const dir = folder();
  if (!dir) return () => {};
  const file = join(dir, `quoting-${name}.alive`);
  const write = () => {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      replace(file, probe ?? '');
    } catch {
      // The reader notices a missing heartbeat, and a full disk must not end a process.
    }
  };
  write();
  const timer = setInterval(write, HEARTBEAT_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

/** Written by rename, so that readers never see half a file and no link at that path is followed. */
function replace(file: string, text: string): void {
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { flag: 'wx', mode: 0o600 });
  renameSync(next, file);
}

/** The heartbeats in the image's folder; a container has one process. Throws when there is no folder (yet). */
export function readHeartbeats(now = Date.now()): readonly Heartbeat[] {
  const dir = folder() ?? '';
  return readdirSync(dir)
    .filter((name) => NAME.test(name))
    .map((name) => {
      const path = join(dir, name);
      return { ageMs: now - statSync(path).mtimeMs, probe: readFileSync(path, 'utf8') || null };
    });
}

/** The loopback address of a local server. */
export const localAddress = (host: string, port: number, path: string): string => {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}${path}`;
};
