import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How a container's engine learns whether its process works: the process writes a file again and again, which says where
 * it can be asked; `health-check.ts` looks at it. A process that hangs, or is gone, writes no more.
 */

const EVERY_MS = 5_000;
/** Some writes may be late on a busy machine; so many in a row are not. */
export const STALE_AFTER_MS = 30_000;
/** Where the signs are. Only the image says so: where nobody looks nothing is written. */
const folder = () => process.env['SIGN_OF_LIFE_DIR']; // oxlint-disable-line node/no-process-env -- of the image, no setting of the product; the health check reads no others
const NAME = /^quoting-[a-z]+\.alive$/;

export interface SignOfLife {
  /** Milliseconds since it was written. */
  readonly ageMs: number;
  /** Address that answers 2xx while the process serves; null where it serves nothing. */
  readonly probe: string | null;
}

/**
 * Writes it at once and from then on until the function that is returned is called. Two processes of one name must not
 * have the folder in common.
 */
export function signAlive(name: 'api' | 'worker' | 'codec', probe: string | null = null): () => void {
  const dir = folder();
  if (!dir) return () => {};
  const file = join(dir, `quoting-${name}.alive`);
  const write = () => {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      replace(file, probe ?? '');
    } catch {
      // Whoever looks sees that no sign came; and a full disk must not end a process.
    }
  };
  write();
  const timer = setInterval(write, EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

/** Whole or not at all, so that nobody reads half a sign; and never through a link that somebody put there. */
function replace(file: string, text: string): void {
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { flag: 'wx', mode: 0o600 });
  renameSync(next, file);
}

/** The signs in the folder of the image; in a container, of its one process. Throws where there is no folder (yet). */
export function signsOfLife(now = Date.now()): readonly SignOfLife[] {
  const dir = folder() ?? '';
  return readdirSync(dir)
    .filter((name) => NAME.test(name))
    .map((name) => {
      const path = join(dir, name);
      return { ageMs: now - statSync(path).mtimeMs, probe: readFileSync(path, 'utf8') || null };
    });
}

/** An address on this machine for whoever listens there. */
export const localAddress = (host: string, port: number, path: string): string => {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}${path}`;
};
