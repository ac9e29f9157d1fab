import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiConfig } from '../../adapters/config.ts';
import { tooManyRequests } from '../../domain/errors.ts';
import { networkOf } from '../network-of.ts';

/** Who tries to sign in, and from where. */
export interface SignInAttempt {
  /** As it was given; whether anybody has it changes nothing here. */
  readonly email: string;
  readonly ip: string;
}

/** Keeps passwords from being guessed, and nobody from their own account. */
export interface SignInThrottle {
  /**
   * Counts an attempt before the password is looked at. Throws `rate_limited` for an address that failed too often, with
   * this name or with any; a name that fails from everywhere is only answered more slowly, for a lock by name would let
   * anybody lock anybody out.
   */
  admit(attempt: SignInAttempt): Promise<void>;
  /** The password was right: the attempt does not count, and failures in a row begin anew. */
  forgive(attempt: SignInAttempt): Promise<void>;
  /** The password was never looked at: the attempt does not count. */
  withdraw(attempt: SignInAttempt): Promise<void>;
}

/** Seconds. */
const QUARTER_HOUR = 900;
const DAY = 86_400;
/** Milliseconds that a name under attack waits; for its owner a nuisance, for who guesses a wall. */
const SLOW_MS = 1_000;

type Settings = Pick<
  ApiConfig,
  'RATE_LIMITS' | 'RATE_LOGIN_FAILURES' | 'RATE_LOGIN_FAILURES_PER_ADDRESS' | 'RATE_LOGIN_FAILURES_PER_NAME'
>;

export function createSignInThrottle(config: Settings, slowMs = SLOW_MS): SignInThrottle {
  const nothing = () => Promise.resolve();
  if (config.RATE_LIMITS === 'off') return { admit: nothing, forgive: nothing, withdraw: nothing };

  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterMemory({ keyPrefix, points, duration });
  const both = limiter('login_both', config.RATE_LOGIN_FAILURES, QUARTER_HOUR);
  const address = limiter('login_address', config.RATE_LOGIN_FAILURES_PER_ADDRESS, DAY);
  const name = limiter('login_name', config.RATE_LOGIN_FAILURES_PER_NAME, DAY);

  return {
    async admit({ email, ip }) {
      // Counted first and taken back on success: guesses sent all at once must not overtake their own failures.
      for (const [by, key] of [
        [both, bothOf({ email, ip })],
        [address, networkOf(ip)],
      ] as const) {
        const waitMs = await overBy(by, key);
        if (waitMs !== null) throw tooManyRequests(Math.max(1, Math.ceil(waitMs / 1000)));
      }
      if ((await overBy(name, nameOf(email))) !== null) await sleep(slowMs);
    },

    async forgive({ email, ip }) {
      await both.delete(bothOf({ email, ip }));
      await address.reward(networkOf(ip));
      await name.reward(nameOf(email));
    },

    async withdraw({ email, ip }) {
      await both.reward(bothOf({ email, ip }));
      await address.reward(networkOf(ip));
      await name.reward(nameOf(email));
    },
  };
}

const nameOf = (email: string): string => email.trim().toLowerCase();
const bothOf = ({ email, ip }: SignInAttempt): string => `${networkOf(ip)} ${nameOf(email)}`;

/** Counts one; null while there is room, else the milliseconds until there is again. */
async function overBy(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return refused.msBeforeNext;
  }
}
