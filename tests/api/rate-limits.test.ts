import assert from 'node:assert/strict';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { newToken } from '../../adapters/crypto/tokens.ts';
import * as build from './build.ts';
import { type Credential, ownService, type Service, service } from './service.ts';

// Each test has its own API with small limits, because buckets are per process.
const limited = (settings: Record<string, string>): Promise<Service> => ownService({ RATE_LIMITS: 'on', ...settings });

const times = async <T>(n: number, call: () => Promise<T>): Promise<T[]> => {
  const responses: T[] = [];
  for (let i = 0; i < n; i += 1) responses.push(await call());
  return responses;
};
const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status);

describe('Rate limits', () => {
  it('responses carry RateLimit headers for the tightest policy', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '5', RATE_TENANT_PER_MINUTE: '100' });
    const { owner } = await build.business();

    const [first, second] = await times(2, () => app.get('/api/clients', owner));

    assert.equal(first?.headers.get('ratelimit-policy'), '"user";q=5;w=60');
    assert.match(first?.headers.get('ratelimit') ?? '', /^"user";r=4;t=60$/);
    assert.match(second?.headers.get('ratelimit') ?? '', /^"user";r=3;t=\d+$/);
  });

  it('beyond the limit of a user, requests answer 429 «Demasiadas solicitudes» with Retry-After', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '2' });
    const { owner } = await build.business();

    const responses = await times(3, () => app.get('/api/clients', owner));

    assert.deepEqual(statuses(responses), [200, 200, 429]);
    const [, , refused] = responses;
    assert.deepEqual([refused?.body.error, refused?.body.code], ['Demasiadas solicitudes', 'rate_limited']);
    assert.equal(refused?.body.reason, 'rate_limit_reached');
    const wait = Number(refused?.headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60, String(wait));
  });

  it('users are counted separately', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '1' });
    const business = await build.business();
    const carlos = await build.member(business);

    const responses = await Promise.all(
      [business.owner, carlos.as, (await build.business()).owner].map((as) => app.get('/api/clients', as)),
    );

    assert.deepEqual(statuses(responses), [200, 200, 200]);
    assert.equal((await app.get('/api/clients', carlos.as)).status, 429);
  });

  it('sessions and keys of a user are counted together, also on stricter routes', async () => {
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

  it('all members of a business share its limit', async () => {
    const app = await limited({ RATE_TENANT_PER_MINUTE: '2' });
    const business = await build.business();
    const carlos = await build.member(business);
    await app.get('/api/clients', business.owner);
    await app.get('/api/clients', carlos.as);

    assert.equal((await app.get('/api/clients', business.owner)).status, 429);
    assert.equal((await app.get('/api/clients', (await build.business()).owner)).status, 200);
  });

  it('/api and /api/v1 are counted together', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '1' });
    const { as } = await build.member(await build.business());
    await app.get('/api/clients', as);

    assert.equal((await app.get('/api/v1/clients', as)).status, 429);
  });

  it('sign-in is limited per IP: 429 before the password is verified', async () => {
    const app = await limited({ RATE_LOGIN_PER_MINUTE: '2' });
    const { email } = await build.business();
    const signIn = (password: string) => app.post('/api/auth/callback/credentials', { email, password });

    const responses = await times(2, () => signIn('una frase falsa'));
    const right = await signIn(build.PASSWORD);

    assert.deepEqual(statuses(responses), [401, 401]);
    assert.deepEqual([right.status, right.body.error], [429, 'Demasiadas solicitudes']);
  });

  it('share has a stricter limit that does not affect other routes', async () => {
    const app = await limited({ RATE_SHARE_PER_HOUR: '1' });
    const { owner } = await build.business();

    const responses = await times(2, () => app.post('/api/quotes/no/share', undefined, owner));

    assert.deepEqual(statuses(responses), [404, 429]);
    assert.equal(responses[0]?.headers.get('ratelimit-policy'), '"share";q=1;w=3600');
    assert.equal((await app.get('/api/quotes', owner)).status, 200);
  });

  for (const [what, setting, path, first] of [
    ['registration', 'RATE_LOGIN_PER_MINUTE', '/api/auth/register', 400],
    ['webhook tests', 'RATE_WEBHOOK_TEST_PER_MINUTE', '/api/webhooks/no/test', 404],
    ['uploads', 'RATE_UPLOAD_PER_HOUR', '/api/settings/logo', 415],
    ['public routes, per IP', 'RATE_ADDRESS_PER_MINUTE', '/api/auth/callback/credentials', 400],
  ] as const) {
    it(`${setting} limits ${what}`, async () => {
      const app = await limited({ RATE_LOGIN_PER_MINUTE: '100', [setting]: '1' });
      const { owner } = await build.business();
      const as = path.startsWith('/api/auth') ? {} : owner;

      const responses = await times(2, () => app.post(path, {}, as));

      assert.deepEqual(statuses(responses), [first, 429]);
    });
  }

  for (const path of ['/p/:token', '/api/portal/:token']) {
    it(`${path} is limited per IP, even for unknown tokens`, async () => {
      const app = await limited({ RATE_PUBLIC_PER_MINUTE: '1' });

      const responses = await times(2, () => app.get(path.replace(':token', newToken())));

      assert.deepEqual(statuses(responses), [404, 429]);
    });
  }

  it('totals, acceptance, rejection and change request of a client’s page share the limit per IP', async () => {
    const app = await limited({ RATE_PUBLIC_PER_MINUTE: '3' });
    const portal = `/api/portal/${newToken()}`;

    const responses: { status: number }[] = [];
    for (const action of ['totals', 'reject', 'request-changes', 'totals', 'accept', 'request-changes'])
      responses.push(await app.post(`${portal}/${action}`, { ...build.SIGNER, version: 1, message: 'Cambios' }));

    assert.deepEqual(statuses(responses), [404, 404, 404, 429, 429, 429]);
  });

  describe('client address', () => {
    const ask = async (TRUSTED_PROXIES: string, headers: readonly string[]) => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '1', TRUSTED_PROXIES });
      const responses: { status: number }[] = [];
      for (const from of headers)
        responses.push(await app.post('/api/auth/callback/credentials', {}, { 'X-Forwarded-For': from }));
      return statuses(responses);
    };

    it('without trusted proxies the connection’s address counts, not X-Forwarded-For', async () =>
      assert.deepEqual(await ask('0', ['198.51.100.1', '198.51.100.2']), [400, 429]));

    it('with one trusted proxy the last entry of X-Forwarded-For counts', async () =>
      assert.deepEqual(
        await ask('1', ['198.51.100.1, 203.0.113.7', '198.51.100.2, 203.0.113.7', '198.51.100.2, 203.0.113.8']),
        [400, 429, 400],
      ));

    it('with two trusted proxies the second last entry of X-Forwarded-For counts', async () =>
      assert.deepEqual(
        await ask('2', ['198.51.100.1, 203.0.113.7, 10.0.0.1', '198.51.100.2, 203.0.113.7, 10.0.0.2']),
        [400, 429],
      ));

    for (const [form, first, second, other] of [
      ['address:port', '203.0.113.7:1111', '203.0.113.7:2222', '203.0.113.8:1111'],
      ['[address]:port', '[2001:db8:1:2::7]:1111', '[2001:db8:1:2::7]:2222', '[2001:db8:1:3::7]:1111'],
      ['[address]', '[2001:db8:1:2::7]', '2001:db8:1:2::7', '2001:db8:1:3::7'],
    ] as const) {
      it(`ports are ignored if a proxy adds ${form}`, async () =>
        assert.deepEqual(await ask('1', [first, second, other]), [400, 429, 400]));
    }
  });

  describe('refused requests', () => {
    const UNKNOWN_KEY = { Authorization: `Bearer ${newApiKey().key}` };

    it('beyond the limit per IP, refused keys answer 429 instead of 401', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '2' });

      const responses = [
        await app.get('/api/clients', UNKNOWN_KEY),
        await app.get('/api/v1/clients', { Authorization: `Bearer ${newApiKey().key}` }),
        await app.get('/api/clients', { Authorization: 'Bearer svc_x' }),
        await app.get('/api/clients'),
      ];

      assert.deepEqual(statuses(responses), [401, 401, 429, 429]);
      assert.equal(responses[0]?.headers.get('ratelimit-policy'), '"address";q=2;w=60');
      assert.equal(responses[2]?.body.error, 'Demasiadas solicitudes');
    });

    it('beyond the limit per IP, refusals of role, plan and origin answer 429 instead of 403', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '3' });
      const { as } = await build.member(await build.business());
      const free = await build.business({ plan: 'FREE' });
      const refused = async () => [
        await app.get('/api/settings', as),
        await app.get('/api/webhooks', free.owner),
        await app.post('/api/clients', {}, { ...free.owner, 'Sec-Fetch-Site': 'cross-site' }),
      ];

      const responses = [...(await refused()), ...(await refused())];

      assert.deepEqual(statuses(responses), [403, 403, 403, 429, 429, 429]);
    });

    it('refused requests and requests of public routes share a limit, and count once', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '3' });
      await app.post('/api/auth/callback/credentials', { email: 'nadie@acme.test', password: 'una frase falsa' });
      await app.get('/api/clients', UNKNOWN_KEY);

      const third = await app.get('/api/clients', UNKNOWN_KEY);

      assert.deepEqual([third.status, third.headers.get('ratelimit')?.split(';')[1]], [401, 'r=0']);
      assert.equal((await app.post('/api/auth/forgot-password', { email: 'nadie@acme.test' })).status, 429);
    });

    it('valid credentials from the same address are not limited', async () => {
      const app = await limited({ RATE_ADDRESS_PER_MINUTE: '1' });
      const { owner } = await build.business();
      await times(3, () => app.get('/api/clients', UNKNOWN_KEY));

      assert.equal((await app.get('/api/clients', owner)).status, 200);
    });
  });

  it('requests refused with 401 do not use up the limit of a user', async () => {
    const app = await limited({ RATE_USER_PER_MINUTE: '1' });
    const { owner } = await build.business();
    await times(3, () => app.get('/api/clients', { Cookie: 'quoting.session-token=falso' }));

    assert.equal((await app.get('/api/clients', owner)).status, 200);
  });

  it('RATE_LIMITS=off disables limits and headers', async () => {
    const app = await service();
    const { owner } = await build.business();

    const res = await app.get('/api/clients', owner);

    assert.equal(app.deps.config.RATE_LIMITS, 'off');
    assert.equal(res.headers.get('ratelimit'), null);
    assert.equal(res.headers.get('ratelimit-policy'), null);
  });
});
