import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiConfig } from '../adapters/config.ts';
import type { Caller } from '../domain/caller.ts';
import { tooManyRequests } from '../domain/request-refusals.ts';
import { networkOf } from './network-of.ts';

/**
 * Rate limits by class. `default` counts per user, over all their sessions and keys, and per business; each stricter
 * class counts additionally. Buckets are per process, so n processes together allow n times as much.
 */
export type RateClass = 'default' | 'login' | 'share' | 'webhook_test' | 'upload' | 'public';

interface Policy {
  readonly name: string;
  readonly limiter: RateLimiterMemory;
}

/** Values of the headers (IETF draft-ietf-httpapi-ratelimit-headers). */
export interface RateState {
  readonly policy: string;
  readonly state: string;
}

export interface RateLimits {
  /** Counts a call and returns the tightest policy for the headers. Throws `rate_limited` with the seconds to wait. */
  count(rate: RateClass, who: { caller: Caller | undefined; ip: string }): Promise<RateState | undefined>;
  /**
   * Counts a request that was refused with 401 or 403 against its address. Throws `rate_limited` beyond the limit. It
   * does not affect calls with valid credentials, or anybody could lock out others behind the same address.
   */
  countRefusal(ip: string): Promise<RateState | undefined>;
}

const MINUTE = 60;
const HOUR = 3_600;

const policy = (name: string, points: number, duration: number): Policy => ({
  name,
  limiter: new RateLimiterMemory({ keyPrefix: name, points, duration }),
});

const nothing = () => Promise.resolve(undefined);
const UNLIMITED: RateLimits = { count: nothing, countRefusal: nothing };

export function createRateLimits(config: ApiConfig): RateLimits {
  if (config.RATE_LIMITS === 'off') return UNLIMITED;
  const user = policy('user', config.RATE_USER_PER_MINUTE, MINUTE);
  const tenant = policy('tenant', config.RATE_TENANT_PER_MINUTE, MINUTE);
  const address = policy('address', config.RATE_ADDRESS_PER_MINUTE, MINUTE);
  const strict: Partial<Record<RateClass, Policy>> = {
    login: policy('login', config.RATE_LOGIN_PER_MINUTE, MINUTE),
    share: policy('share', config.RATE_SHARE_PER_HOUR, HOUR),
    webhook_test: policy('webhook_test', config.RATE_WEBHOOK_TEST_PER_MINUTE, MINUTE),
    upload: policy('upload', config.RATE_UPLOAD_PER_HOUR, HOUR),
    public: policy('public', config.RATE_PUBLIC_PER_MINUTE, MINUTE),
  };

  return {
    async count(rate, { caller, ip }) {
      const own = strict[rate];
      const who = caller ? caller.userId : networkOf(ip);
      const general: [Policy, string][] = caller
        ? [
            [user, who],
            [tenant, caller.tenantId],
          ]
        : [[address, who]];
      return countAll(own ? [[own, who], ...general] : general);
    },
    countRefusal: (ip) => countAll([[address, networkOf(ip)]]),
  };
}

/** Counts a call with each of these policies and returns the tightest. */
async function countAll(counted: readonly (readonly [Policy, string])[]): Promise<RateState | undefined> {
  let tightest: RateState | undefined;
  let least = Infinity;
  for (const [{ name, limiter }, key] of counted) {
    const left = await consume(limiter, key);
    if (left.remainingPoints >= least) continue;
    least = left.remainingPoints;
    tightest = {
      policy: `"${name}";q=${limiter.points};w=${limiter.duration}`,
      state: `"${name}";r=${left.remainingPoints};t=${Math.ceil(left.msBeforeNext / 1000)}`,
    };
  }
  return tightest;
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw tooManyRequests(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)));
  }
}
