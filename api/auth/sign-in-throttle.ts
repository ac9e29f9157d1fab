import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiConfig } from '../../adapters/config.ts';
import { foldEmailAddress } from '../../domain/email-address.ts';
import { clientNetworkOf } from '../network-of.ts';

/** The source and target of an attempt to sign in. */
export interface SignInAttempt {
  /** As submitted; it need not have an account. */
  readonly email: string;
  readonly ip: string;
}

/** The outcome of counting an attempt. */
export interface Admission {
  /** Set when a limit is exceeded: respond 429, unless the credentials are correct and the network is known. */
  readonly retryAfterSeconds: number | undefined;
  /** For correct credentials: uncounts the attempt and resets the consecutive failures. */
  reset(): Promise<void>;
  /** For an attempt whose password was not verified: uncounts it. */
  undo(): Promise<void>;
}

/** Prevents password guessing without letting anybody lock out the owner of an account. */
export interface SignInThrottle {
  /**
   * Counts an attempt before its password is verified, so that concurrent guesses cannot bypass the limit. Beyond a
   * limit of the network, or of the network with this e-mail address, it delays and sets `retryAfterSeconds`. Beyond
   * the limit of an address over all networks it only delays: a lock by address would let anybody lock out its owner.
   */
  admit(attempt: SignInAttempt): Promise<Admission>;
}

/** Seconds. */
const QUARTER_HOUR = 900;
const DAY = 86_400;
/** Delay of an attempt beyond a limit: tolerable for an owner, prohibitive for guessing. */
const DELAY_MS = 1_000;

const nothing = () => Promise.resolve();
const UNTHROTTLED: Admission = { retryAfterSeconds: undefined, reset: nothing, undo: nothing };

type Settings = Pick<
  ApiConfig,
  'RATE_LIMITS' | 'RATE_LOGIN_FAILURES' | 'RATE_LOGIN_FAILURES_PER_ADDRESS' | 'RATE_LOGIN_FAILURES_PER_NAME'
>;

export function createSignInThrottle(config: Settings, slowMs = DELAY_MS): SignInThrottle {
  if (config.RATE_LIMITS === 'off') return { admit: () => Promise.resolve(UNTHROTTLED) };

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
        return consume(by, key);
      };
      const withdraw = async () => {
        for (const one of counted) await uncount(one);
      };
      const forgive = async () => {
        await withdraw();
        await both.delete(pair);
      };

      // Stop at the first exceeded limit, so that a network beyond its limit adds no entries to the other maps.
      let waitMs = await count(network, from);
      if (waitMs === null) {
        waitMs = await count(both, pair);
        // A script that fails for one account must not use up the daily limit of its network.
        if (waitMs !== null) await uncount(counted.shift());
      }
      const isSlow = waitMs !== null || (await count(name, folded)) !== null;
      if (isSlow) await sleep(slowMs);
      const retryAfterSeconds = waitMs === null ? undefined : Math.max(1, Math.ceil(waitMs / 1000));
      return { retryAfterSeconds, reset: forgive, undo: withdraw };
    },
  };
}

/** The bucket in which an attempt was counted. */
type Count = readonly [RateLimiterMemory, string];

const uncount = async (count: Count | undefined): Promise<void> => {
  if (count) await count[0].reward(count[1]);
};

/** Counts one attempt. Returns null below the limit, else the milliseconds until the next is allowed. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return refused.msBeforeNext;
  }
}
