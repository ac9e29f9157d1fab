import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { newId } from '../../db/ids.ts';
import * as build from '../api/build.ts';
import { type Service, service } from '../api/service.ts';
import { auditOf } from '../api/stored.ts';
import { testStack } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { command } from './commands.ts';

describe('Operator commands for users', () => {
  let env: Record<string, string>;
  let app: Service;

  before(async () => {
    ({ env } = await testStack());
    app = await service();
  });

  const user = (...words: readonly string[]) => command(env, 'user', ...words);
  const tokenIn = (link: string): string => /\?token=(\S+)$/m.exec(link)?.[1] ?? '';
  const signIn = (email: string, password: string) => app.post('/api/auth/callback/credentials', { email, password });

  it('tenant create prints a link with which the owner signs in', async () => {
    const email = `Ana.${newId()}@Dueno.test`;

    const { code, out, complaint } = await command(env, 'tenant', 'create', email, 'Muebles Ana', 'PRO');

    assert.deepEqual([code, complaint], [0, '']);
    assert.match(out, /^https?:\/\/\S+\/invitation\?token=\S{43}\n$/);
    const accepted = await app.post('/api/auth/accept-invitation', { token: tokenIn(out), password: build.PASSWORD });
    assert.equal(accepted.status, 200);
    const { email: stored, role, plan } = accepted.body.user;
    assert.deepEqual([stored, role, plan], [email.toLowerCase(), 'OWNER', 'PRO']);
    const again = await command(env, 'tenant', 'create', email, 'Otra');
    assert.deepEqual([again.code, again.complaint], [1, 'El correo ya está registrado.\n']);
  });

  it('tenant create refuses what is no address, name or plan with 2, and creates nothing', async () => {
    const count = async () => (await rows('select count(*)::int as n from tenants'))[0]?.['n'];
    const before = await count();

    for (const words of [['ana', 'Muebles'], ['a@b.test', 'M'], ['a@b.test', 'Muebles', 'ORO'], ['a@b.test'], []])
      assert.equal((await command(env, 'tenant', 'create', ...words)).code, 2, words.join(' '));

    assert.equal(await count(), before);
  });

  it('list prints the people of a business, one line each', async () => {
    const business = await build.business();
    const { userId } = await build.member(business);

    const { code, out } = await user('list', business.tenantId);

    assert.equal(code, 0);
    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, 2);
    const owner = lines.find((line) => line.includes(business.userId));
    assert.match(owner ?? '', /^\S+@dueno\.test\tOWNER\tactive\t-\t\d{4}-\S+Z\tc\w{24}\tDiana$/);
    assert.match(lines.find((line) => line.includes(userId)) ?? '', /\tCOLLABORATOR\tinvited\t-\t-\t/);
  });

  it('reset-link prints a link that sets a password once, and replaces the one before', async () => {
    const business = await build.business();
    const first = await user('reset-link', business.email);
    const second = await user('reset-link', business.email.toUpperCase());
    const reset = (link: string) =>
      app.post('/api/auth/reset-password', { token: tokenIn(link), password: 'otra frase más larga' });

    const statuses = [
      (await reset(first.out)).status,
      (await reset(second.out)).status,
      (await reset(second.out)).status,
    ];

    assert.match(second.out, /^https?:\/\/\S+\/reset-password\?token=\S{43}\n$/);
    assert.deepEqual(statuses, [400, 200, 400]);
    assert.equal((await signIn(business.email, 'otra frase más larga')).status, 200);
    const audit = await auditOf(business, business.userId);
    assert.equal(audit.filter(({ action, actor }) => action === 'reset_link' && actor === 'operator').length, 2);
    assert.ok(!JSON.stringify(audit).includes(tokenIn(second.out)));
  });

  it('disable ends sessions and keys at once, also of the last owner', async () => {
    const business = await build.business();
    const { key } = (await app.post('/api/api-keys', { name: 'Contabilidad' }, business.owner)).body;

    const { code, out } = await user('disable', business.email);

    assert.deepEqual([code, out], [0, `${business.email}: desactivada\n`]);
    for (const as of [business.owner, { Authorization: `Bearer ${key}` }])
      assert.equal((await app.get('/api/clients', as)).status, 401);
    assert.equal((await signIn(business.email, build.PASSWORD)).status, 401);
    assert.equal((await user('disable', business.email)).out, `${business.email}: ya estaba desactivada\n`);
    assert.equal((await user('reset-link', business.email)).code, 1);
  });

  it('two-factor-reset lets the user sign in without a code, and mails it', async () => {
    const business = await build.business();
    const { secret } = (await app.post('/api/auth/two-factor/setup', { password: build.PASSWORD }, business.owner))
      .body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await app.post('/api/auth/two-factor/enable', { password: build.PASSWORD, code }, business.owner);
    assert.equal((await signIn(business.email, build.PASSWORD)).status, 401);

    const { out } = await user('two-factor-reset', business.email);

    assert.equal(out, `${business.email}: sin verificación en dos pasos\n`);
    assert.equal((await signIn(business.email, build.PASSWORD)).status, 200);
    const mails = await rows("select kind from mails where user_id = $1 and kind like 'two_factor%'", business.userId);
    assert.deepEqual(mails, [{ kind: 'two_factor_disabled' }]);
    assert.ok(
      (await auditOf(business, business.userId)).some(
        ({ action, actor }) => action === 'two_factor_disabled' && actor === 'operator',
      ),
    );
  });

  it('refuses an unknown address with 1 and missing words with 2', async () => {
    const unknown = await user('disable', `${newId()}@nadie.test`);

    assert.equal(unknown.code, 1);
    assert.match(unknown.complaint, /^No hay una cuenta con el correo /);
    assert.equal((await user('two-factor-reset')).code, 2);
    assert.equal((await user('list', 'nadie')).code, 1);
  });
});
