import assert from 'node:assert/strict';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { newToken } from '../../adapters/crypto/tokens.ts';
import * as build from './build.ts';
import { type Credential, ownService, type Service, service } from './service.ts';

// Each test has an API of its own whose limits are a handful: buckets live in the process.
const limited = (settings: Record<string, string>): Promise<Service> => ownService({ RATE_LIMITS: 'on', ...settings });

const times = async <T>(n: number, call: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let i = 0; i < n; i += 1) answers.push(await call());
  return answers;
};
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

describe('rate limits', () => {
  it('are told with each answer: the tightest policy and what is left of it', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '5', RATE_TENANT_PER_MINUTE: '100' });
    const { owner } = await build.business();

    const [first, second] = await times(2, () => app.get('/api/clients', owner));

    assert.equal(first?.headers.get('ratelimit-policy'), '"user";q=5;w=60');
    assert.match(first?.headers.get('ratelimit') ?? '', /^"user";r=4;t=60$/);
    assert.match(second?.headers.get('ratelimit') ?? '', /^"user";r=3;t=\d+$/);
  });

  it('answer 429 «Demasiadas solicitudes» with Retry-After beyond the limit of a user', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '2' });
    const { owner } = await build.business();

    const answers = await times(3, () => app.get('/api/clients', owner));

    assert.deepEqual(statuses(answers), [200, 200, 429]);
    const [, , refused] = answers;
    assert.deepEqual([refused?.body.error, refused?.body.code], ['Demasiadas solicitudes', 'rate_limited']);
    const wait = Number(refused?.headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60, String(wait));
  });

  it('count each user for themselves', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '1' });
    const business = await build.business();
    const carlos = await build.member(business);

    const answers = await Promise.all(
      [business.owner, carlos.as, (await build.business()).owner].map((as) => app.get('/api/clients', as)),
    );

    assert.deepEqual(statuses(answers), [200, 200, 200]);
    assert.equal((await app.get('/api/clients', carlos.as)).status, 429);
  });

  it('count the session and all keys of a user together, on stricter routes too', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '3', RATE_UPLOAD_PER_HOUR: '2' });
    const { owner } = await build.business();
    const keys = await times(2, async () => {
      const { body } = await (await service()).post('/api/api-keys', { name: 'prueba' }, owner);
      return { Authorization: `Bearer ${body.key}` };
    });
    const upload = (as: Credential) => app.post('/api/settings/logo', undefined, as);

    const uploads = [...(await Promise.all(keys.map(upload))), await upload(owner)];

    assert.deepEqual(statuses(uploads), [400, 400, 429]);
    assert.equal(uploads[2]?.headers.get('retry-after'), '3600');
    assert.equal((await app.get('/api/clients', owner)).status, 200);
    assert.deepEqual(statuses(await Promise.all(keys.map((as) => app.get('/api/clients', as)))), [429, 429]);
  });

  it('count all members of a business together, whichever of them asks', async () => {
    const app = await limited({ RATE_TENANT_PER_MINUTE: '2' });
    const business = await build.business();
    const carlos = await build.member(business);
    await app.get('/api/clients', business.owner);
    await app.get('/api/clients', carlos.as);

    assert.equal((await app.get('/api/clients', business.owner)).status, 429);
    assert.equal((await app.get('/api/clients', (await build.business()).owner)).status, 200);
  });

  it('count /api and /api/v1 as one', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '1' });
    const { as } = await build.member(await build.business());
    await app.get('/api/clients', as);

    assert.equal((await app.get('/api/v1/clients', as)).status, 429);
  });

  it('are stricter on signing in, by address: 429 before the password is even looked at', async () => {
    const app = await limited({ RATE_LOGIN_PER_MINUTE: '2' });
    const { email } = await build.business();
    const signIn = (password: string) => app.post('/api/auth/callback/credentials', { email, password });

    const answers = await times(2, () => signIn('una frase falsa'));
    const right = await signIn(build.PASSWORD);

    assert.deepEqual(statuses(answers), [401, 401]);
    assert.deepEqual([right.status, right.body.error], [429, 'Demasiadas solicitudes']);
  });

  it('are stricter on registering', async () => {
    const app = await limited({ RATE_LOGIN_PER_MINUTE: '1' });

    const answers = await times(2, () => app.post('/api/auth/register', {}));

    assert.deepEqual(statuses(answers), [400, 429]);
  });

  it('are stricter on share, and leave other routes alone', async () => {
    const app = await limited({ RATE_SHARE_PER_HOUR: '1' });
    const { owner } = await build.business();

    const answers = await times(2, () => app.post('/api/quotes/no/share', undefined, owner));

    assert.deepEqual(statuses(answers), [404, 429]);
    assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"share";q=1;w=3600');
    assert.equal((await app.get('/api/quotes', owner)).status, 200);
  });

  it('are stricter on testing a webhook', async () => {
    const app = await limited({ RATE_WEBHOOK_TEST_PER_MINUTE: '1' });
    const { owner } = await build.business();

    const answers = await times(2, () => app.post('/api/webhooks/no/test', undefined, owner));

    assert.deepEqual(statuses(answers), [404, 429]);
  });

  it('are stricter on uploads', async () => {
    const app = await limited({ RATE_UPLOAD_PER_HOUR: '1' });
    const { owner } = await build.business();

    const answers = await times(2, () => app.post('/api/settings/logo', undefined, owner));

    assert.deepEqual(statuses(answers), [400, 429]);
  });

  it('bound what an address may ask of public routes', async () => {
    const app = await limited({ RATE_ADDRESS_PER_MINUTE: '1', RATE_LOGIN_PER_MINUTE: '100' });

    const answers = await times(2, () => app.post('/api/auth/callback/credentials', {}));

    assert.deepEqual(statuses(answers), [400, 429]);
  });

  for (const path of ['/p/:token', '/api/portal/:token']) {
    it(`are stricter on ${path}, by address: for links that are none too`, async () => {
      const app = await limited({ RATE_PUBLIC_PER_MINUTE: '1' });

      const answers = await times(2, () => app.get(path.replace(':token', newToken())));

      assert.deepEqual(statuses(answers), [404, 429]);
    });
  }

  describe('by address', () => {
    const ask = async (TRUSTED_PROXIES: string, headers: readonly string[]) => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '1', TRUSTED_PROXIES });
      const answers: { status: number }[] = [];
      for (const from of headers)
        answers.push(await app.post('/api/auth/callback/credentials', {}, { 'X-Forwarded-For': from }));
      return statuses(answers);
    };

    it('take that of the connection without trusted proxies, whatever X-Forwarded-For says', async () =>
      assert.deepEqual(await ask('0', ['198.51.100.1', '198.51.100.2']), [400, 429]));

    it('take what the trusted proxy added, not what its caller had written before', async () =>
      assert.deepEqual(
        await ask('1', ['198.51.100.1, 203.0.113.7', '198.51.100.2, 203.0.113.7', '198.51.100.2, 203.0.113.8']),
        [400, 429, 400],
      ));

    it('take what the first of two trusted proxies added', async () =>
      assert.deepEqual(
        await ask('2', ['198.51.100.1, 203.0.113.7, 10.0.0.1', '198.51.100.2, 203.0.113.7, 10.0.0.2']),
        [400, 429],
      ));

    for (const [form, first, second, other] of [
      ['address:port', '203.0.113.7:1111', '203.0.113.7:2222', '203.0.113.8:1111'],
      ['[address]:port', '[2001:db8:1:2::7]:1111', '[2001:db8:1:2::7]:2222', '[2001:db8:1:3::7]:1111'],
      ['[address]', '[2001:db8:1:2::7]', '2001:db8:1:2::7', '2001:db8:1:3::7'],
    ] as const) {
      it(`take the address alone where a proxy adds ${form}`, async () =>
        assert.deepEqual(await ask('1', [first, second, other]), [400, 429, 400]));
    }
  });

  describe('on refused requests', () => {
    const UNKNOWN_KEY = { Authorization: `Bearer ${newApiKey().key}` };

    it('answer 429 in place of 401 beyond the limit of the address, whichever key is refused', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '2' });

      const answers = [
        await app.get('/api/clients', UNKNOWN_KEY),
        await app.get('/api/v1/clients', { Authorization: `Bearer ${newApiKey().key}` }),
        await app.get('/api/clients', { Authorization: 'Bearer svc_x' }),
        await app.get('/api/clients'),
      ];

      assert.deepEqual(statuses(answers), [401, 401, 429, 429]);
      assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"address";q=2;w=60');
      assert.equal(answers[2]?.body.error, 'Demasiadas solicitudes');
    });

    it('answer 429 in place of 403 beyond it: of the role, the plan and a foreign origin', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '3' });
      const { as } = await build.member(await build.business());
      const free = await build.business({ plan: 'FREE' });
      const refused = async () => [
        await app.get('/api/settings', as),
        await app.get('/api/webhooks', free.owner),
        await app.post('/api/clients', {}, { ...free.owner, 'Sec-Fetch-Site': 'cross-site' }),
      ];

      const answers = [...(await refused()), ...(await refused())];

      assert.deepEqual(statuses(answers), [403, 403, 403, 429, 429, 429]);
    });

    it('count with the requests of public routes, which count once', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '3' });
      await app.post('/api/auth/callback/credentials', { email: 'nadie@acme.test', password: 'una frase falsa' });
      await app.get('/api/clients', UNKNOWN_KEY);

      const third = await app.get('/api/clients', UNKNOWN_KEY);

      assert.deepEqual([third.status, third.headers.get('ratelimit')?.split(';')[1]], [401, 'r=0']);
      assert.equal((await app.post('/api/auth/forgot-password', { email: 'nadie@acme.test' })).status, 429);
    });

    it('leave valid credentials of the same address alone', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '1' });
      const { owner } = await build.business();
      await times(3, () => app.get('/api/clients', UNKNOWN_KEY));

      assert.equal((await app.get('/api/clients', owner)).status, 200);
    });
  });

  it('do not count what is refused with 401: the limit of a user is nobody else’s to use up', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '1' });
    const { owner } = await build.business();
    await times(3, () => app.get('/api/clients', { Cookie: 'quoting.session-token=falso' }));

    assert.equal((await app.get('/api/clients', owner)).status, 200);
  });

  it('are off, with no headers, when they are switched off', async () => {
    const app = await service();
    const { owner } = await build.business();

    const res = await app.get('/api/clients', owner);

    assert.equal(app.deps.config.RATE_LIMITS, 'off');
    assert.equal(res.headers.get('ratelimit'), null);
    assert.equal(res.headers.get('ratelimit-policy'), null);
  });
});
