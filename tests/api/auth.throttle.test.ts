import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { ownService, type Response, type Service } from './service.ts';

const WRONG = 'no es la mía';
/** Small numbers, so that a test need not hash a hundred passwords. The rate of requests is another limit. */
const SETTINGS = {
  RATE_LIMITS: 'on',
  RATE_LOGIN_PER_MINUTE: '10000',
  RATE_LOGIN_FAILURES: '3',
  RATE_LOGIN_FAILURES_PER_ADDRESS: '8',
  RATE_LOGIN_FAILURES_PER_NAME: '5',
  // The address that a test gives is believed.
  TRUSTED_PROXIES: '1',
};

let networks = 0;
/** Each of another /24, which is what failures count against. */
const newAddress = (): string => `198.51.${(networks += 1)}.7`;

describe('guessing passwords', () => {
  let app: Service;
  beforeEach(async () => {
    app = await ownService(SETTINGS);
  });

  const signIn = (email: string, password: string, from: string): Promise<Response> =>
    app.post('/api/auth/callback/credentials', { email, password }, { 'X-Forwarded-For': from });
  const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status);
  async function inTurn(times: number, attempt: (i: number) => Promise<Response>): Promise<Response[]> {
    const answers: Response[] = [];
    for (let i = 0; i < times; i += 1) answers.push(await attempt(i));
    return answers;
  }

  it('is stopped for one account from one network: 429 with Retry-After, the right password too', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const answers = await inTurn(4, () => signIn(email, WRONG, from));
    const right = await signIn(email, build.PASSWORD, from);

    assert.deepEqual(statuses([...answers, right]), [401, 401, 401, 429, 429]);
    const wait = Number(right.headers.get('Retry-After'));
    assert.ok(wait > 800 && wait <= 900, `${wait} s`);
    assert.equal(right.body.error, 'Demasiadas solicitudes');
  });

  it('locks nobody out: with the right password the owner gets in from another network, without waiting', async () => {
    const { email } = await build.business();
    const from = newAddress();
    await inTurn(4, () => signIn(email, WRONG, from));

    const { status } = await signIn(email, build.PASSWORD, newAddress());

    assert.equal(status, 200);
  });

  it('locks nobody out when it comes from everywhere: the owner gets in, a second later', async () => {
    const { email } = await build.business();
    await inTurn(6, () => signIn(email, WRONG, newAddress()));
    const began = performance.now();

    const { status } = await signIn(email, build.PASSWORD, newAddress());

    const ms = performance.now() - began;
    assert.equal(status, 200);
    assert.ok(ms >= 950, `${ms} ms`);
  });

  it('is slowed the same for a name that nobody has', async () => {
    const email = `${newId()}@nadie.test`;
    await inTurn(6, () => signIn(email, WRONG, newAddress()));
    const began = performance.now();

    const { status } = await signIn(email, WRONG, newAddress());

    assert.equal(status, 401);
    assert.ok(performance.now() - began >= 950);
  });

  it('is stopped from one network whatever the account, and other networks go on', async () => {
    const from = newAddress();
    const { email } = await build.business();

    const answers = await inTurn(9, (i) => signIn(`${i}.${newId()}@nadie.test`, WRONG, from));

    assert.deepEqual(statuses(answers), [401, 401, 401, 401, 401, 401, 401, 401, 429]);
    assert.equal((await signIn(email, build.PASSWORD, from)).status, 429);
    assert.equal((await signIn(email, build.PASSWORD, newAddress())).status, 200);
  });

  it('is not overtaken by guesses sent all at once', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email, WRONG, from)));

    assert.equal(answers.filter(({ status }) => status === 401).length, 3);
    assert.equal(answers.filter(({ status }) => status === 429).length, 9);
  });

  it('begins anew after the right password, which does not count', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const answers = [
      ...(await inTurn(2, () => signIn(email, WRONG, from))),
      ...(await inTurn(10, () => signIn(email, build.PASSWORD, from))),
      ...(await inTurn(3, () => signIn(email, WRONG, from))),
    ];

    assert.deepEqual(statuses(answers), [401, 401, ...Array.from({ length: 10 }, () => 200), 401, 401, 401]);
  });

  it('takes an address for the same in other capitals and with spaces', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const answers = await inTurn(4, (i) => signIn(i % 2 === 0 ? email.toUpperCase() : ` ${email} `, WRONG, from));

    assert.equal(answers.at(-1)?.status, 429);
  });

  it('stops at the limit for all addresses of a /24 together', async () => {
    const { email } = await build.business();
    networks += 1;
    const neighbour = (host: number) => `198.51.${networks}.${host}`;

    const answers = await inTurn(4, (i) => signIn(email, WRONG, neighbour(i)));

    assert.deepEqual(statuses(answers), [401, 401, 401, 429]);
  });

  it('is slowed, never refused, with correct credentials from a network that the account signed in from before', async () => {
    const { email } = await build.business();
    const [home, stranger] = [newAddress(), newAddress()];
    await signIn(email, build.PASSWORD, home);
    await inTurn(4, () => signIn(email, WRONG, home));
    await inTurn(4, () => signIn(email, WRONG, stranger));

    const wrong = await signIn(email, WRONG, home);
    const unknown = await signIn(email, build.PASSWORD, stranger);
    const began = performance.now();
    const known = await signIn(email, build.PASSWORD, home.replace(/7$/, '8'));
    const ms = performance.now() - began;

    assert.deepEqual(statuses([wrong, unknown, known]), [429, 429, 200]);
    assert.ok(ms >= 950, `${ms} ms`);
  });

  it('is never refused from a known network beyond the limit of that network either', async () => {
    const { email } = await build.business();
    const home = newAddress();
    await signIn(email, build.PASSWORD, home);
    await inTurn(9, (i) => signIn(`${i}.${newId()}@nadie.test`, WRONG, home));

    const [known, other] = [
      await signIn(email, build.PASSWORD, home),
      await signIn((await build.business()).email, build.PASSWORD, home),
    ];

    assert.deepEqual(statuses([known, other]), [200, 429]);
  });

  it('knows the ten networks of an account that were used last, in any process', async () => {
    const { email } = await build.business();
    const [first, second] = [newAddress(), newAddress()];
    for (const from of [first, second]) await signIn(email, build.PASSWORD, from);
    await inTurn(9, () => signIn(email, build.PASSWORD, newAddress()));
    const other = await ownService(SETTINGS);
    const from = (address: string, password: string) =>
      other.post('/api/auth/callback/credentials', { email, password }, { 'X-Forwarded-For': address });
    for (const address of [first, second]) await inTurn(3, () => from(address, WRONG));

    const answers = [await from(second, build.PASSWORD), await from(first, build.PASSWORD)];

    // The second sign-in makes `second` the newest again; `first` made room before.
    assert.deepEqual(statuses(answers), [200, 429]);
  });

  it('beyond the limit costs and says the same whether or not the address has an account', async () => {
    const hashed: string[] = [];
    const watched = await ownService(SETTINGS, (deps) => ({
      ...deps,
      passwords: {
        ...deps.passwords,
        verify: (...args) => (hashed.push('verify'), deps.passwords.verify(...args)),
        verifyNothing: (...args) => (hashed.push('nothing'), deps.passwords.verifyNothing(...args)),
      },
    }));
    const { email } = await build.business();
    const attempt = (address: string, from: string) =>
      watched.post('/api/auth/callback/credentials', { email: address, password: WRONG }, { 'X-Forwarded-For': from });
    const nobody = `${newId()}@nadie.test`;
    const [one, two] = [newAddress(), newAddress()];

    const known = await inTurn(5, () => attempt(email, one));
    const unknown = await inTurn(5, () => attempt(nobody, two));

    const said = (answers: readonly Response[]) => answers.map(({ status, body }) => [status, body.error, body.code]);
    assert.deepEqual(said(known), said(unknown));
    assert.deepEqual(statuses(known), [401, 401, 401, 429, 429]);
    assert.deepEqual(hashed, [
      ...Array.from({ length: 5 }, () => 'verify'),
      ...Array.from({ length: 5 }, () => 'nothing'),
    ]);
  });

  it('of one account does not use up the day of the network', async () => {
    const { email } = await build.business();
    const from = newAddress();
    await inTurn(9, () => signIn(email, WRONG, from));

    const { status } = await signIn((await build.business()).email, build.PASSWORD, from);

    assert.equal(status, 200);
  });

  it('is not what a full queue counts as', async () => {
    const full = await ownService(SETTINGS, (deps) => ({
      ...deps,
      passwords: { ...deps.passwords, verify: () => Promise.reject(new Error('nobody looked')) },
    }));
    const { email } = await build.business();
    const from = newAddress();
    const attempt = () =>
      full.post('/api/auth/callback/credentials', { email, password: build.PASSWORD }, { 'X-Forwarded-For': from });

    const answers = await inTurn(6, attempt);

    assert.deepEqual(statuses(answers), [500, 500, 500, 500, 500, 500]);
  });
});
