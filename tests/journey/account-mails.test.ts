import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../db/ids.ts';
import { cookieOf } from '../api/build.ts';
import { eventually } from '../eventually.ts';
import { register } from './business.ts';
import { type Installation, installation } from './installation.ts';

const PASSWORD = 'otra frase más larga';

describe('account mails', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });
  afterEach(() => service.parts.inbox.setMode('accept'));

  /** The newest mail to this address, once there is one. */
  const mailTo = (address: string) =>
    eventually(async () => {
      const [mail] = (await service.parts.inbox.messages()).filter(({ to }) => to.includes(address));
      assert.ok(mail, `no mail to ${address}`);
      return mail;
    });

  async function tokenMailedTo(address: string): Promise<string> {
    const { text } = await mailTo(address);
    const [, token] = /\?token=([\w-]{43})\n/.exec(text ?? '') ?? [];
    assert.ok(token, 'the mail has no link');
    assert.ok(text?.includes(`\n${token}\n`), 'the mail does not show the token as text');
    return token;
  }

  async function invite(email = `${newId()}@colaborador.test`) {
    const { owner, tenantId } = await register(service);
    const res = await service.http.post('/api/collaborators', { email, name: 'Carlos' }, owner);
    assert.equal(res.status, 201);
    return { email, tenantId, userId: res.body.id };
  }

  const rowOf = async (tenantId: string) => {
    const [mail] = await service.rows('select status, failure, token_sealed from mails where tenant_id = $1', tenantId);
    return [mail?.['status'], mail?.['failure'], mail?.['token_sealed']];
  };

  it("an invitation's token signs the collaborator in, and is deleted once the mail is sent", async () => {
    const { email, userId, tenantId } = await invite();

    const token = await tokenMailedTo(email);
    const res = await service.http.post('/api/auth/accept-invitation', { token, password: PASSWORD });

    assert.deepEqual([res.status, res.body.user?.id], [200, userId]);
    assert.equal((await service.http.get('/api/auth/session', cookieOf(res.headers))).status, 200);
    await eventually(async () => assert.deepEqual(await rowOf(tenantId), ['SENT', null, null]));
  });

  it("a reset mail's token sets the new password", async () => {
    const { email } = await invite();
    const token = await tokenMailedTo(email);
    await service.http.post('/api/auth/accept-invitation', { token, password: 'la primera frase' });

    await service.http.post('/api/auth/forgot-password', { email });
    const resetToken = await eventually(async () => {
      const newest = await tokenMailedTo(email);
      assert.notEqual(newest, token);
      return newest;
    });
    const res = await service.http.post('/api/auth/reset-password', { token: resetToken, password: PASSWORD });

    assert.deepEqual([res.status, res.body], [200, { ok: true }]);
    const signedIn = await service.http.post('/api/auth/callback/credentials', { email, password: PASSWORD });
    assert.equal(signedIn.status, 200);
  });

  it('a mail to a refused address is given up immediately, with the reason', async () => {
    const { tenantId } = await invite(`reject+550@${newId()}.test`);

    await eventually(async () => assert.deepEqual(await rowOf(tenantId), ['FAILED', 'refused', null]));
  });

  it('a mail arrives once the mail server is back', async () => {
    service.parts.inbox.setMode('hang');
    const { email } = await invite();
    await sleep(1_000);

    service.parts.inbox.setMode('accept');

    assert.match((await mailTo(email)).subject, /le invita a colaborar/);
  });
});
