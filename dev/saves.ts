import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { REPOSITORY, shown } from './paths.ts';

/** Files that the processes load: modules, and the assets that the portal reads at start. */
const LOADED = /\.(ts|mjs|js|css)$/;
/** Saves within this time are reported together. */
const SETTLE_MS = 60;

/** Reports saved files below some folders. */
export interface Saves {
  /** Aborted by the first save that `next` has not returned yet. */
  readonly pending: () => AbortSignal;
  /** Waits for saves and resolves with their files once none follows; with none when `signal` is aborted. */
  readonly next: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Watches folders and files, relative to the root of the repository. */
export async function watchSaves(sources: readonly string[]): Promise<Saves> {
  let files = new Set<string>();
  let saved = new AbortController();
  let count = 0;
  const watcher = watch(
    sources.map((source) => path.join(REPOSITORY, source)),
    { ignoreInitial: true, ignored: (file, stats) => stats?.isFile() === true && !LOADED.test(file) },
  );
  watcher.on('all', (_, file) => {
    if (!LOADED.test(file)) return; // a folder
    files.add(shown(file));
    count += 1;
    saved.abort();
  });
  await once(watcher, 'ready');

  async function settled(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!saved.signal.aborted) await once(saved.signal, 'abort', { signal });
    for (let before = -1; before !== count;) {
      before = count;
      await sleep(SETTLE_MS, undefined, { signal });
    }
  }

  return {
    pending: () => saved.signal,
    next: async (signal) => {
      await settled(signal).catch(() => undefined);
      const found = [...files];
      files = new Set();
      saved = new AbortController();
      return found;
    },
    close: () => watcher.close(),
  };
}
