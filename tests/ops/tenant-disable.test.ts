import assert from 'node:assert/strict';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { testStack } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { command } from './commands.ts';

describe('tenant disable and tenant enable', () => {
  let env: Record<string, string>;
  let app: Service;
  before(async () => {
    ({ env } = await testStack());
    app = await service();
  });

  const tenant = (...words: readonly string[]) => command(env, 'tenant', ...words);
  const signIn = ({ email }: build.Business) =>
    app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });
  const standing = async ({ tenantId }: build.Business) =>
    (
      await rows('select plan, disabled_at is not null as off, plan_when_enabled from tenants where id = $1', tenantId)
    )[0];

  it('a disabled business refuses sessions, keys and sign-ins with 401 «No autorizado», and mails no link', async () => {
    const business = await build.business();
    const { as } = await build.member(business, { role: 'OWNER' });
    assert.equal((await app.get('/api/clients', as)).status, 200);

    const { code, out } = await tenant('disable', business.tenantId);

    assert.equal(code, 0);
    assert.match(out, /^t-\w{8}: desactivado\n$/);
    for (const credential of [business.owner, as]) {
      const { status, body } = await app.get('/api/clients', credential);
      assert.deepEqual([status, body.error], [401, 'No autorizado']);
    }
    const refused = await signIn(business);
    assert.deepEqual([refused.status, refused.body.error], [401, 'No autorizado']);
    assert.equal((await app.post('/api/auth/forgot-password', { email: business.email })).status, 200);
    assert.deepEqual(await rows('select id from mails where tenant_id = $1', business.tenantId), []);
  });

  it('an enabled business has its plan, keys and sign-ins again, and its old sessions stay ended', async () => {
    const business = await build.business();
    const { as } = await build.member(business, { role: 'OWNER' });
    await tenant('disable', business.tenantId);
    assert.deepEqual(await standing(business), { plan: 'FREE', off: true, plan_when_enabled: 'PRO' });

    const { out } = await tenant('enable', business.tenantId);

    assert.match(out, /: activo otra vez\n$/);
    assert.deepEqual(await standing(business), { plan: 'PRO', off: false, plan_when_enabled: null });
    assert.equal((await app.get('/api/clients', business.owner)).status, 401);
    assert.equal((await app.get('/api/clients', as)).status, 200);
    assert.equal((await signIn(business)).status, 200);
    assert.match((await tenant('enable', business.tenantId)).out, /: ya estaba activo\n$/);
  });

  it('disabling twice keeps the plan of before, and leaves one audit entry of the operator', async () => {
    const business = await build.business();

    await tenant('disable', business.tenantId);
    const { out } = await tenant('disable', business.tenantId);

    assert.match(out, /: ya estaba desactivado\n$/);
    const { out: list } = await tenant('list');
    assert.match(list, new RegExp(`^t-\\w{8}\\tFREE\\t${business.tenantId}\\t.*\\tAcme\\tdesactivado$`, 'm'));
    assert.equal((await standing(business))?.['plan_when_enabled'], 'PRO');
    const entries = await rows(
      "select metadata from audit_logs where tenant_id = $1 and actor = 'operator' and entity = 'tenant'",
      business.tenantId,
    );
    assert.deepEqual(
      entries.map(({ metadata }) => JSON.parse(String(metadata))),
      [{ before: { isDisabled: false, plan: 'PRO' }, after: { isDisabled: true, plan: 'FREE' } }],
    );
  });

  it("the client's page of a disabled business is 404, and opens again when it is enabled", async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    await app.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, business.owner);
    const read = async () => (await app.get(`/api/portal/${quote.publicToken}`)).status;
    assert.equal(await read(), 200);

    await tenant('disable', business.tenantId);
    const closed = await read();
    await tenant('enable', business.tenantId);

    assert.deepEqual([closed, await read()], [404, 200]);
  });

  it('one-time links of a disabled business do not work', async () => {
    const business = await build.business();
    const { out } = await command(env, 'user', 'reset-link', business.email);
    const token = /token=(\S+)$/m.exec(out)?.[1] ?? '';
    await tenant('disable', business.tenantId);
    const reset = () => app.post('/api/auth/reset-password', { token, password: 'otra frase más larga' });

    const disabled = await reset();
    await tenant('enable', business.tenantId);

    assert.deepEqual([disabled.status, (await reset()).status], [400, 200]);
  });

  it('tenant plan of a disabled business is the plan that it gets when it is enabled', async () => {
    const business = await build.business({ plan: 'FREE' });
    await tenant('disable', business.tenantId);

    const { out } = await tenant('plan', business.tenantId, 'PRO');

    assert.match(out, /: FREE → PRO\n$/);
    assert.deepEqual(await standing(business), { plan: 'FREE', off: true, plan_when_enabled: 'PRO' });
  });

  it('refuses an unknown business with 1 and missing words with 2', async () => {
    assert.equal((await tenant('disable', 't-nadie000')).code, 1);
    assert.equal((await tenant('disable')).code, 2);
    assert.equal((await tenant('enable', 'a', 'b')).code, 2);
  });
});
