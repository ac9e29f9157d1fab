import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { ownService, type Response, type Service } from './service.ts';

const WRONG = 'no es la mía';
/** Small limits, so that tests need not hash a hundred passwords. Request rates are a separate limit. */
const SETTINGS = {
  RATE_LIMITS: 'on',
  RATE_LOGIN_PER_MINUTE: '10000',
  RATE_LOGIN_FAILURES: '3',
  RATE_LOGIN_FAILURES_PER_ADDRESS: '8',
  RATE_LOGIN_FAILURES_PER_NAME: '5',
  // Tests set their address by X-Forwarded-For.
  TRUSTED_PROXIES: '1',
};

let networks = 0;
/** Addresses of different /24 networks, which are counted separately. */
const newAddress = (): string => `198.51.${(networks += 1)}.7`;

describe('Sign-in throttle', () => {
  let app: Service;
  beforeEach(async () => {
    app = await ownService(SETTINGS);
  });

  const signIn = (email: string, password: string, from: string): Promise<Response> =>
    app.post('/api/auth/callback/credentials', { email, password }, { 'X-Forwarded-For': from });
  const statuses = (responses: readonly Response[]) => responses.map(({ status }) => status);
  async function sequentially(times: number, attempt: (i: number) => Promise<Response>): Promise<Response[]> {
    const responses: Response[] = [];
    for (let i = 0; i < times; i += 1) responses.push(await attempt(i));
    return responses;
  }

  it('answers 429 with Retry-After to guesses for one account from one network, even with the correct password', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const responses = await sequentially(4, () => signIn(email, WRONG, from));
    const right = await signIn(email, build.PASSWORD, from);

    assert.deepEqual(statuses([...responses, right]), [401, 401, 401, 429, 429]);
    const wait = Number(right.headers.get('Retry-After'));
    assert.ok(wait > 800 && wait <= 900, `${wait} s`);
    assert.deepEqual([right.body.error, right.body.reason], ['Demasiadas solicitudes', 'sign_in_throttled']);
  });

  it('counts a wrong current password of a change as a wrong sign-in', async () => {
    const { email, owner } = await build.business();
    const from = newAddress();
    const change = (currentPassword: string) => {
      const body = { currentPassword, newPassword: 'otra frase más larga' };
      return app.post('/api/auth/change-password', body, { ...owner, 'X-Forwarded-For': from });
    };

    const responses = await sequentially(3, () => change(WRONG));
    const right = await change(build.PASSWORD);

    assert.deepEqual(statuses([...responses, right]), [400, 400, 400, 429]);
    assert.equal((await signIn(email, build.PASSWORD, from)).status, 429);
  });

  it('after guesses from one network, the owner signs in from another network without delay', async () => {
    const { email } = await build.business();
    const from = newAddress();
    await sequentially(4, () => signIn(email, WRONG, from));

    const { status } = await signIn(email, build.PASSWORD, newAddress());

    assert.equal(status, 200);
  });

  it('after guesses from many networks, the owner signs in with a delay of one second', async () => {
    const { email } = await build.business();
    await sequentially(6, () => signIn(email, WRONG, newAddress()));
    const began = performance.now();

    const { status } = await signIn(email, build.PASSWORD, newAddress());

    const ms = performance.now() - began;
    assert.equal(status, 200);
    assert.ok(ms >= 950, `${ms} ms`);
  });

  it('delays guesses for an unknown address equally', async () => {
    const email = `${newId()}@nadie.test`;
    await sequentially(6, () => signIn(email, WRONG, newAddress()));
    const began = performance.now();

    const { status } = await signIn(email, WRONG, newAddress());

    assert.equal(status, 401);
    assert.ok(performance.now() - began >= 950);
  });

  it('answers 429 to guesses from one network for any account, and not to other networks', async () => {
    const from = newAddress();
    const { email } = await build.business();

    const responses = await sequentially(9, (i) => signIn(`${i}.${newId()}@nadie.test`, WRONG, from));

    assert.deepEqual(statuses(responses), [401, 401, 401, 401, 401, 401, 401, 401, 429]);
    assert.equal((await signIn(email, build.PASSWORD, from)).status, 429);
    assert.equal((await signIn(email, build.PASSWORD, newAddress())).status, 200);
  });

  it('counts concurrent guesses before their passwords are verified', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const responses = await Promise.all(Array.from({ length: 12 }, () => signIn(email, WRONG, from)));

    assert.equal(responses.filter(({ status }) => status === 401).length, 3);
    assert.equal(responses.filter(({ status }) => status === 429).length, 9);
  });

  it('a successful sign-in is not counted and resets the failures', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const responses = [
      ...(await sequentially(2, () => signIn(email, WRONG, from))),
      ...(await sequentially(10, () => signIn(email, build.PASSWORD, from))),
      ...(await sequentially(3, () => signIn(email, WRONG, from))),
    ];

    assert.deepEqual(statuses(responses), [401, 401, ...Array.from({ length: 10 }, () => 200), 401, 401, 401]);
  });

  it('counts an address in another letter case and with spaces as the same', async () => {
    const { email } = await build.business();
    const from = newAddress();

    const responses = await sequentially(4, (i) =>
      signIn(i % 2 === 0 ? email.toUpperCase() : ` ${email} `, WRONG, from),
    );

    assert.equal(responses.at(-1)?.status, 429);
  });

  it('counts all addresses of a /24 together', async () => {
    const { email } = await build.business();
    networks += 1;
    const neighbour = (host: number) => `198.51.${networks}.${host}`;

    const responses = await sequentially(4, (i) => signIn(email, WRONG, neighbour(i)));

    assert.deepEqual(statuses(responses), [401, 401, 401, 429]);
  });

  it('beyond the limit, correct credentials from a known network succeed with a delay', async () => {
    const { email } = await build.business();
    const [home, stranger] = [newAddress(), newAddress()];
    await signIn(email, build.PASSWORD, home);
    await sequentially(4, () => signIn(email, WRONG, home));
    await sequentially(4, () => signIn(email, WRONG, stranger));

    const wrong = await signIn(email, WRONG, home);
    const unknown = await signIn(email, build.PASSWORD, stranger);
    const began = performance.now();
    const known = await signIn(email, build.PASSWORD, home.replace(/7$/, '8'));
    const ms = performance.now() - began;

    assert.deepEqual(statuses([wrong, unknown, known]), [429, 429, 200]);
    assert.ok(ms >= 950, `${ms} ms`);
  });

  it('beyond the limit of the network itself, correct credentials from this known network succeed', async () => {
    const { email } = await build.business();
    const home = newAddress();
    await signIn(email, build.PASSWORD, home);
    await sequentially(9, (i) => signIn(`${i}.${newId()}@nadie.test`, WRONG, home));

    const [known, other] = [
      await signIn(email, build.PASSWORD, home),
      await signIn((await build.business()).email, build.PASSWORD, home),
    ];

    assert.deepEqual(statuses([known, other]), [200, 429]);
  });

  it('an account knows its ten last used networks, over all processes', async () => {
    const { email } = await build.business();
    const [first, second] = [newAddress(), newAddress()];
    for (const from of [first, second]) await signIn(email, build.PASSWORD, from);
    await sequentially(9, () => signIn(email, build.PASSWORD, newAddress()));
    const other = await ownService(SETTINGS);
    const from = (address: string, password: string) =>
      other.post('/api/auth/callback/credentials', { email, password }, { 'X-Forwarded-For': address });
    for (const address of [first, second]) await sequentially(3, () => from(address, WRONG));

    const responses = [await from(second, build.PASSWORD), await from(first, build.PASSWORD)];

    // The second sign-in makes `second` the newest; `first` was dropped.
    assert.deepEqual(statuses(responses), [200, 429]);
  });

  it('beyond the limit, response and cost are equal with and without an account', async () => {
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
    const unknownEmail = `${newId()}@nadie.test`;
    const [one, two] = [newAddress(), newAddress()];

    const known = await sequentially(5, () => attempt(email, one));
    const unknown = await sequentially(5, () => attempt(unknownEmail, two));

    const said = (responses: readonly Response[]) =>
      responses.map(({ status, body }) => [status, body.error, body.code]);
    assert.deepEqual(said(known), said(unknown));
    assert.deepEqual(statuses(known), [401, 401, 401, 429, 429]);
    assert.deepEqual(hashed, [
      ...Array.from({ length: 5 }, () => 'verify'),
      ...Array.from({ length: 5 }, () => 'nothing'),
    ]);
  });

  it('guesses for one account do not use up the daily limit of their network', async () => {
    const { email } = await build.business();
    const from = newAddress();
    await sequentially(9, () => signIn(email, WRONG, from));

    const { status } = await signIn((await build.business()).email, build.PASSWORD, from);

    assert.equal(status, 200);
  });

  it('a login rejected by a full hash queue is not counted as a guess', async () => {
    const full = await ownService(SETTINGS, (deps) => ({
      ...deps,
      passwords: { ...deps.passwords, verify: () => Promise.reject(new Error('the hash queue is full')) },
    }));
    const { email } = await build.business();
    const from = newAddress();
    const attempt = () =>
      full.post('/api/auth/callback/credentials', { email, password: build.PASSWORD }, { 'X-Forwarded-For': from });

    const responses = await sequentially(6, attempt);

    assert.deepEqual(statuses(responses), [500, 500, 500, 500, 500, 500]);
  });
});
