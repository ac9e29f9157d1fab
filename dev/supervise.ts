import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './problem.ts';
import { describeExit, mannerOf, type ServerProcess } from './server-process.ts';

/** Keeps a process running: restarts it when it ends, and gives up when it keeps ending. */

export interface Supervision {
  /** The name for people: «Worker», «PostgreSQL». */
  readonly label: string;
  readonly start: (signal: AbortSignal) => Promise<ServerProcess>;
  /** Called with one line when the process runs again. */
  readonly say: (line: string) => void;
  /** Ends the supervision, not the process. */
  readonly signal: AbortSignal;
}

export interface Supervised {
  /** Resolves with a description of the last exit when the supervisor gives up. */
  readonly givenUp: Promise<string>;
  /** The current process, or the last one. */
  readonly current: () => ServerProcess;
  /** Prevents restarts, and stops the current process. */
  readonly stop: () => Promise<void>;
}

/** After this many exits within a minute another restart would not help. */
const MAX_ENDS = 5;
const WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Supervises a started process. The pause before a restart doubles from one second up to half a minute. */
export function supervise(first: ServerProcess, { label, start, say, signal }: Supervision): Supervised {
  const stopping = new AbortController();
  const end = AbortSignal.any([signal, stopping.signal]);
  let current = first;
  let giveUp: (text: string) => void;
  const givenUp = new Promise<string>((resolve) => {
    giveUp = resolve;
  });

  /** Restarts it until it runs; undefined once it has ended too often. */
  async function again(ends: number[]): Promise<ServerProcess | undefined> {
    let failure = '';
    for (;;) {
      ends.push(Date.now());
      const recent = ends.filter((time) => time > Date.now() - WINDOW_MS);
      if (recent.length >= MAX_ENDS) {
        giveUp(failure || describeExit(current, await current.exited));
        return undefined;
      }
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** (recent.length - 1), MAX_PAUSE_MS), undefined, { signal: end });
      try {
        return await start(end);
      } catch (error) {
        failure = messageOf(error);
      }
    }
  }

  async function watch(): Promise<void> {
    const ends: number[] = [];
    for (;;) {
      const exit = await current.exited;
      if (end.aborted) return;
      const next = await again(ends);
      if (!next) return;
      current = next;
      if (end.aborted) return;
      say(`${label} terminó ${mannerOf(exit)} y está otra vez en marcha`);
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!end.aborted) throw error;
  });
  return {
    givenUp,
    current: () => current,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      // A process that was just starting.
      await current.stop();
    },
  };
}
