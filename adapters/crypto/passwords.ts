import { availableParallelism } from 'node:os';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { tooManyRequests } from '../../domain/errors.ts';

/** argon2id (the package's default algorithm), OWASP's minimum: 19 MiB, two passes, one lane. Memory in KiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Each takes a core for tens of milliseconds: more at once would only make every sign-in slower. One core is left to
 * those who are signed in, so that a rush at the door keeps nobody waiting inside.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const MAX_WAITING = 22 - AT_ONCE;
/** A full queue is worked off in about this time. */
const RETRY_AFTER_SECONDS = 2;

export interface Passwords {
  /** The encoded argon2id hash, parameters and salt included. */
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /** Takes as long as a failed verify(), for a sign-in whose account does not exist; always false. */
  verifyNothing(password: string): Promise<false>;
}

/**
 * Hashing of passwords, two at a time at most. With 22 under way or waiting, each function throws «Demasiadas solicitudes».
 * Passwords are compared in NFC, so that an accent typed on another system is the same accent.
 */
export function createPasswords(): Passwords {
  const inTurn = createGate();
  const hash = (password: string) => inTurn(() => argon2Hash(password.normalize('NFC'), PARAMETERS));
  const verify = (hashed: string, password: string) => inTurn(() => argon2Verify(hashed, password.normalize('NFC')));

  // Made now, with the parameters in force: a literal would cost something else as soon as they change.
  const nobody = hash('nobody has this password');

  return {
    hash,
    verify,
    async verifyNothing(password) {
      await verify(await nobody, password);
      return false;
    },
  };
}

function createGate(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < AT_ONCE) running += 1;
    else if (waiting.length >= MAX_WAITING) throw tooManyRequests(RETRY_AFTER_SECONDS);
    else await new Promise<void>((resolve) => waiting.push(resolve));

    try {
      return await work();
    } finally {
      // The place is handed on, not given back: a newcomer cannot slip in before those who wait.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
