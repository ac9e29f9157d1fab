import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * How a container's engine learns whether its process works: the process writes a file again and again, which says where
 * it can be asked; `health-check.ts` looks at it. A process that hangs, or is gone, writes no more.
 */

const EVERY_MS = 5_000;
/** Some writes may be late on a busy machine; so many in a row are not. */
export const STALE_AFTER_MS = 30_000;
const NAME = /^quoting-[a-z]+\.alive$/;

export interface SignOfLife {
  /** Milliseconds since it was written. */
  readonly ageMs: number;
  /** Address that answers 2xx while the process serves; null where it serves nothing. */
  readonly probe: string | null;
}

/** Writes it at once and from then on until the function that is returned is called. */
export function signAlive(name: 'api' | 'worker' | 'codec', probe: string | null = null): () => void {
  const file = join(tmpdir(), `quoting-${name}.alive`);
  const write = () => {
    try {
      writeFileSync(file, probe ?? '');
    } catch {
      // Where nothing can be written nobody looks; and a full disk must not end a process.
    }
  };
  write();
  const timer = setInterval(write, EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

/** The signs of the processes on this machine; in a container, of its one. */
export const signsOfLife = (now = Date.now()): readonly SignOfLife[] =>
  readdirSync(tmpdir())
    .filter((name) => NAME.test(name))
    .map((name) => {
      const path = join(tmpdir(), name);
      return { ageMs: now - statSync(path).mtimeMs, probe: readFileSync(path, 'utf8') || null };
    });

/** An address on this machine for whoever listens there. */
export const localAddress = (host: string, port: number, path: string): string => {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}${path}`;
};
