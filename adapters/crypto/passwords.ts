import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { createFairQueue, type QueueWatch, type Turn } from '../fair-queue.ts';

/** argon2id (the package's default algorithm), OWASP's minimum: 19 MiB, two passes, one lane. Memory in KiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes a core for tens of milliseconds: more at once would only make every sign-in slower. */
const PERMITS = 2;
const MAX_WAITING_PER_KEY = 21;
const MAX_WAITING = 84;
/** A full queue is worked off in about this time. */
const RETRY_AFTER_SECONDS = 2;

export interface Passwords {
  /** The encoded argon2id hash, parameters and salt included. */
  hash(password: string, turn: Turn): Promise<string>;
  verify(hash: string, password: string, turn: Turn): Promise<boolean>;
  /** Takes as long as a failed verify(), for a sign-in whose account does not exist; always false. */
  verifyNothing(password: string, turn: Turn): Promise<false>;
}

/**
 * Hashing of passwords, by turns of networks and tenants: two at a time, one at a time for one of them. With 22 of one
 * under way or waiting, each function throws «Demasiadas solicitudes».
 * Passwords are compared in NFC, so that an accent typed on another system is the same accent.
 */
export function createPasswords({ watch }: { readonly watch?: QueueWatch } = {}): Passwords {
  const queue = createFairQueue({
    permits: PERMITS,
    maxWaitingPerKey: MAX_WAITING_PER_KEY,
    maxWaiting: MAX_WAITING,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(watch && { watch }),
  });
  const hash = (password: string, turn: Turn) =>
    queue.run(turn, () => argon2Hash(password.normalize('NFC'), PARAMETERS));
  const verify = (hashed: string, password: string, turn: Turn) =>
    queue.run(turn, () => argon2Verify(hashed, password.normalize('NFC')));

  // Made now, with the parameters in force: a literal would cost something else as soon as they change.
  const nobody = hash('nobody has this password', { key: 'start', wait: 'always' });

  return {
    hash,
    verify,
    async verifyNothing(password, turn) {
      await verify(await nobody, password, turn);
      return false;
    },
  };
}
