import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiConfig } from '../../adapters/config.ts';
import { foldEmailAddress } from '../../domain/email-address.ts';
import { clientNetworkOf } from '../network-of.ts';

/** Who tries to sign in, and from where. */
export interface SignInAttempt {
  /** As it was given; whether it has an account changes nothing here. */
  readonly email: string;
  readonly ip: string;
}

/** A counted attempt. */
export interface Admission {
  /** Set beyond a limit: refuse with 429, unless the credentials are correct and the account knows the network. */
  readonly retryAfterSeconds: number | undefined;
  /** The credentials were correct: the attempt does not count, and failures in a row begin anew. */
  forgive(): Promise<void>;
  /** The password was never looked at: the attempt does not count. */
  withdraw(): Promise<void>;
}

/** Keeps passwords from being guessed, and nobody from their own account. */
export interface SignInThrottle {
  /**
   * Counts an attempt before the password is looked at: guesses sent all at once must not overtake their own failures.
   * Beyond a limit of the network, alone or with this e-mail address, it waits and says so; an address that fails from
   * many networks is only slowed, for a lock by address would let anybody lock anybody out.
   */
  admit(attempt: SignInAttempt): Promise<Admission>;
}

/** Seconds. */
const QUARTER_HOUR = 900;
const DAY = 86_400;
/** Milliseconds that an attempt beyond a limit waits: for an owner a nuisance, for who guesses a wall. */
const SLOW_MS = 1_000;

const nothing = () => Promise.resolve();
const UNLIMITED: Admission = { retryAfterSeconds: undefined, forgive: nothing, withdraw: nothing };

type Settings = Pick<
  ApiConfig,
  'RATE_LIMITS' | 'RATE_LOGIN_FAILURES' | 'RATE_LOGIN_FAILURES_PER_ADDRESS' | 'RATE_LOGIN_FAILURES_PER_NAME'
>;

export function createSignInThrottle(config: Settings, slowMs = SLOW_MS): SignInThrottle {
  if (config.RATE_LIMITS === 'off') return { admit: () => Promise.resolve(UNLIMITED) };

  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterMemory({ keyPrefix, points, duration });
  const both = limiter('login_both', config.RATE_LOGIN_FAILURES, QUARTER_HOUR);
  const network = limiter('login_network', config.RATE_LOGIN_FAILURES_PER_ADDRESS, DAY);
  const name = limiter('login_name', config.RATE_LOGIN_FAILURES_PER_NAME, DAY);

  return {
    async admit({ email, ip }) {
      const from = clientNetworkOf(ip);
      const folded = foldEmailAddress(email);
      const pair = `${from} ${folded}`;
      const counted: Count[] = [];
      const count = (by: RateLimiterMemory, key: string) => {
        counted.push([by, key]);
        return overBy(by, key);
      };
      const withdraw = async () => {
        for (const one of counted) await takeBack(one);
      };
      const forgive = async () => {
        await withdraw();
        await both.delete(pair);
      };

      // In this order, and no further than the first that is exceeded: a network beyond its limit makes no new entries.
      let waitMs = await count(network, from);
      if (waitMs === null) {
        waitMs = await count(both, pair);
        // One account's failing script must not use up the network's day.
        if (waitMs !== null) await takeBack(counted.shift());
      }
      const isSlow = waitMs !== null || (await count(name, folded)) !== null;
      if (isSlow) await sleep(slowMs);
      const retryAfterSeconds = waitMs === null ? undefined : Math.max(1, Math.ceil(waitMs / 1000));
      return { retryAfterSeconds, forgive, withdraw };
    },
  };
}

/** Which bucket an attempt was counted in. */
type Count = readonly [RateLimiterMemory, string];

const takeBack = async (count: Count | undefined): Promise<void> => {
  if (count) await count[0].reward(count[1]);
};

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
