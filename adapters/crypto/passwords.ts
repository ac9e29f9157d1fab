import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { createFairQueue, type QueueWatch, type PermitRequest } from '../fair-queue.ts';

/** argon2id (the package's default) with OWASP's minimum: 19 MiB, two passes, parallelism 1. Memory in KiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash uses a core for tens of milliseconds; more in parallel would only slow down all sign-ins. */
const PERMITS = 2;
const MAX_WAITING_PER_KEY = 21;
const MAX_WAITING = 84;
/** A full queue drains in about this time. */
const RETRY_AFTER_SECONDS = 2;

export interface Passwords {
  /** The encoded argon2id hash, parameters and salt included. */
  hash(password: string, permit: PermitRequest): Promise<string>;
  verify(hash: string, password: string, permit: PermitRequest): Promise<boolean>;
  /** Takes as long as a failed verify(), for a sign-in to an account that does not exist; always false. */
  verifyNothing(password: string, permit: PermitRequest): Promise<false>;
}

/**
 * Hashes passwords through a fair queue, keyed by network and tenant: two in parallel, one per key. When 22 of one key
 * run or wait, each function throws «Demasiadas solicitudes».
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
  const hash = (password: string, permit: PermitRequest) =>
    queue.run(permit, () => argon2Hash(password.normalize('NFC'), PARAMETERS));
  const verify = (hashed: string, password: string, permit: PermitRequest) =>
    queue.run(permit, () => argon2Verify(hashed, password.normalize('NFC')));

  // Computed at start with the current parameters: a literal would cost a different time once these change.
  const dummyHash = hash('password of no account', { key: 'start', wait: 'always' });

  return {
    hash,
    verify,
    async verifyNothing(password, permit) {
      await verify(await dummyHash, password, permit);
      return false;
    },
  };
}
