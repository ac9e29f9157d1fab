import { createSessionCookies } from '../adapters/crypto/session-cookie.ts';
import { openAuthJs } from './lib/auth-js.ts';
import { openCallers } from './lib/callers.ts';
import { PASSWORD } from './lib/database.ts';
import { interleave, repeat, quantile, times, type Variant } from './lib/measure.ts';
import { startApi } from './lib/processes.ts';
import { atLeast, atMost, type Bench, type Findings, type Row } from './lib/row.ts';
import { DATA_SETS, ownerEmail, ownerId, sessionId, tenantId } from './lib/seed.ts';

/** Goal 11: opening a session against Auth.js' way, and whether sign-ins keep those waiting who are in. */
export const row: Row = {
  name: 'login',
  title: 'session cookies, and eight sign-ins at once',
  quick: false,
  shortfall: `A sign-in takes a core for tens of milliseconds, by design, and of two cores one is let in to it at a time. The other one is shared by PostgreSQL, the API and the callers: a read that needs all three waits for its turn.`,
  run: measureLogin,
};

/** As many different cookies. */
const TOKENS = 1_000;
const SECRET = 'a secret of the bench, 32 characters';
const FIRST = 'our cookie, opened for the first time';
const AGAIN = 'our cookie, opened again';
const THEIRS = "Auth.js' cookie decoded";

async function measureLogin(bench: Bench): Promise<Findings> {
  // Cookies that were opened are remembered, so each run of the first kind has a memory of its own.
  const openers = () => createSessionCookies({ secrets: SECRET, secure: false });
  const cookies = openers();
  const ids = { sessionId: sessionId(0), userId: ownerId(0), tenantId: tenantId(0) };
  const seal = () => cookies.seal(ids, new Date(Date.now() + 86_400_000));
  const token = await seal();
  const tokens = await Promise.all(Array.from({ length: TOKENS }, seal));
  const variants: Variant[] = [
    {
      name: FIRST,
      operations: TOKENS,
      run: async () => {
        const opener = openers();
        for (const each of tokens) await opener.open(each);
      },
    },
    { name: AGAIN, operations: 5_000, run: () => repeat(5_000, () => cookies.open(token)) },
  ];
  if (bench.peers) {
    const authJs = await openAuthJs();
    const theirs = await authJs.encode(ids);
    variants.push({
      name: THEIRS,
      operations: 300,
      run: () => repeat(300, () => authJs.decode(theirs)),
    });
  }
  const samples = await interleave(variants, { rounds: bench.rounds });
  return {
    samples: [samples],
    ratios: [
      ...(bench.peers
        ? [
            atLeast(20, `${AGAIN}, against Auth.js`, times(samples, AGAIN, THEIRS)),
            { what: `${FIRST}, against Auth.js`, values: times(samples, FIRST, THEIRS) },
          ]
        : []),
      atMost(3, 'p99 of reads during 8 sign-ins vs. idle (wall time)', await duringSignIns(bench)),
    ],
    notes: bench.peers ? [] : ['Without Auth.js (`--no-peers`).'],
  };
}

/** p99 of a small read while eight people sign in, as a multiple of the same without them, round by round. */
async function duringSignIns(bench: Bench): Promise<readonly number[]> {
  const databases = await bench.databases();
  const database = await databases.own(DATA_SETS.smallMany);
  const api = await startApi(databases, database, { RATE_LOGIN_PER_MINUTE: '100000' });
  bench.after(api.stop);
  const cookie = await database.cookieOf(0);
  const reads = openCallers(api.url, { callers: 1, request: () => ({ path: '/api/onboarding', headers: { cookie } }) });
  const body = JSON.stringify({ email: ownerEmail(1), password: PASSWORD });
  const signIns = openCallers(api.url, {
    callers: 8,
    request: () => ({
      method: 'POST',
      path: '/api/auth/callback/credentials',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  });
  bench.after(reads.close);
  bench.after(signIns.close);
  await reads.send(500);
  const ratios: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const idle = quantile(await reads.send(500), 0.99);
    const signingIn = signIns.send(64);
    const busy = quantile(await reads.send(500), 0.99);
    await signingIn;
    ratios.push(busy / idle);
  }
  return ratios;
}
