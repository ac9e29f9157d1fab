import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { errorAt, fieldsIn, filled, open, submit, titleOf } from './browse.ts';
import { collaboratorOf } from './callers.ts';

const STEP_MS = 30_000;
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
const MARKUP = '<b>"x"</b>';
const ESCAPED = '&lt;b&gt;&quot;x&quot;&lt;/b&gt;';

describe('/app/api-keys', () => {
  const PATH = '/app/api-keys/new';

  it('creates a key that is shown once, the same one for a second submission, and revokes it', async () => {
    const app = await service();
    const { owner } = await build.business();
    const fields = filled((await open(PATH, owner)).html, { name: MARKUP, scope: 'read', expiresAt: '2100-12-31' });

    const created = await submit(PATH, fields, { as: owner });
    const again = await submit(PATH, fields, { as: owner });

    const keyIn = (html: string) => /value="(svc_[0-9a-f]+)"/.exec(html)?.[1];
    const key = keyIn(created.html);
    assert.deepEqual([created.status, titleOf(created.html)], [200, 'Clave creada']);
    assert.equal(keyIn(again.html), key);
    const as = { Authorization: `Bearer ${key}` };
    assert.equal((await app.get('/api/clients', as)).status, 200);
    const { html } = await open('/app/api-keys', owner);
    assert.ok(html.includes(ESCAPED) && html.includes('Solo consultar') && html.includes('31 de diciembre de 2100'));
    assert.ok(!html.includes(String(key)));
    const revoke = /action="(\/app\/api-keys\/\w+\/revoke)"/.exec(html)?.[1] ?? '';
    assert.equal((await submit(revoke, {}, { as: owner })).headers.get('Location'), '/app/api-keys?notice=key_revoked');
    assert.equal((await app.get('/api/clients', as)).status, 401);
    assert.match((await open('/app/api-keys', owner)).html, /Todavía no hay claves/);
  });

  it('answers 400 beside the fields, and 403 before the address is confirmed', async () => {
    const { owner } = await build.business();
    const unverified = await build.business({ isVerified: false });

    const refused = await submit(PATH, { name: '', expiresAt: '2001-01-01' }, { as: owner });
    const early = await submit(PATH, { name: 'Contabilidad' }, { as: unverified.owner });

    assert.equal(refused.status, 400);
    assert.equal(errorAt(refused.html, 'name'), 'Es obligatorio');
    assert.deepEqual([early.status, early.html.includes('Confirme su correo electrónico')], [403, true]);
  });
});

describe('/app/team', () => {
  it('invites a person, who is shown as pending, once for two submissions', async () => {
    const app = await service();
    const { owner } = await build.business();
    const email = `c${Date.now()}@equipo.test`;
    const fields = filled((await open('/app/team/new', owner)).html, { name: MARKUP, email });

    const [first, second] = [
      await submit('/app/team/new', fields, { as: owner }),
      await submit('/app/team/new', fields, { as: owner }),
    ];

    assert.deepEqual([first.status, second.status], [303, 303]);
    const { html } = await open('/app/team', owner);
    assert.ok(html.includes(ESCAPED) && html.includes('Invitación pendiente'));
    assert.equal((await app.get('/api/collaborators', owner)).body.length, 2);
  });

  it('changes name, role and access; refuses the last owner with the sentence of the API', async () => {
    const app = await service();
    const business = await build.business();
    const { userId } = await build.member(business);
    const path = `/app/team/${userId}`;
    const fields = filled(
      (await open(path, business.owner)).html,
      { name: 'Carlos', role: 'OWNER', isActive: 'true' },
      path,
    );

    const saved = await submit(path, fields, { as: business.owner });

    assert.equal(saved.headers.get('Location'), '/app/team?notice=person_saved');
    const people: { id: string; name: string; role: string; isActive: boolean }[] = (
      await app.get('/api/collaborators', business.owner)
    ).body;
    const { name, role, isActive } = people.find(({ id }) => id === userId) ?? {};
    assert.deepEqual([name, role, isActive], ['Carlos', 'OWNER', true]);

    const alone = await build.business();
    const own = `/app/team/${alone.userId}`;
    const last = await submit(own, { name: 'Ana', role: 'COLLABORATOR', isActive: 'true' }, { as: alone.owner });
    const { body } = await app.request('PATCH', `/api/collaborators/${alone.userId}`, {
      headers: alone.owner,
      body: { role: 'COLLABORATOR' },
    });
    assert.ok(last.status >= 400 && last.html.includes(String(body.error)), last.html);
  });

  it('passes the quotes of a person to another one, and asks to whom', async () => {
    const app = await service();
    const business = await build.business();
    const carlos = await build.member(business);
    const quote = await build.quote(carlos.as);
    const path = `/app/team/${carlos.userId}/transfer`;

    const unnamed = await submit(path, { toUserId: '' }, { as: business.owner });
    const moved = await submit(path, { toUserId: business.userId }, { as: business.owner });

    assert.deepEqual([unnamed.status, errorAt(unnamed.html, 'toUserId')], [400, 'Es obligatorio']);
    assert.equal(moved.headers.get('Location'), '/app/team?notice=quotes_transferred');
    assert.equal((await app.get(`/api/quotes/${quote.id}`, business.owner)).body.user.email, business.email);
  });
});

describe('/app/account', () => {
  it('changes the password, shows no password again, and ends the other sessions', async () => {
    const app = await service();
    const business = await build.business();
    const signIn = (password: string) =>
      app.post('/api/auth/callback/credentials', { email: business.email, password });
    const other = build.cookieOf((await signIn(build.PASSWORD)).headers);
    const path = '/app/account/password';

    const wrong = await submit(
      path,
      { currentPassword: 'otra frase', newPassword: 'una frase nueva' },
      { as: business.owner },
    );
    const changed = await submit(
      path,
      { currentPassword: build.PASSWORD, newPassword: 'una frase nueva' },
      { as: business.owner },
    );

    assert.ok(wrong.status >= 400 && wrong.status < 500 && !wrong.html.includes('otra frase'));
    assert.equal(changed.headers.get('Location'), '/app/account?notice=password_changed');
    assert.equal((await signIn('una frase nueva')).status, 200);
    assert.equal((await app.get('/api/auth/session', other)).body?.user, undefined);
  });

  it('lists the sessions with their devices, ends one of them and then all', async () => {
    const app = await service();
    const business = await build.business();
    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1';
    const signedIn = await app.request('POST', '/api/auth/callback/credentials', {
      headers: { 'User-Agent': userAgent },
      body: { email: business.email, password: build.PASSWORD },
    });
    const phone = build.cookieOf(signedIn.headers);

    const { html } = await open('/app/account', business.owner);

    assert.match(html, /Safari en iOS/);
    const end = /action="(\/app\/account\/sessions\/\w+\/end)"/.exec(html)?.[1] ?? '';
    assert.equal((await submit(end, {}, { as: business.owner })).status, 303);
    assert.equal((await open('/app', phone)).status, 303);
    const all = await submit('/app/account/sessions/end-all', {}, { as: business.owner });
    assert.equal(all.headers.get('Location'), '/login?notice=sessions_ended');
    assert.equal((await open('/app', business.owner)).status, 303);
  });

  it('sets the second factor up with a QR code, renews its codes and disables it', async () => {
    const { owner } = await build.business();
    const path = '/app/account/two-factor';
    const password = build.PASSWORD;

    const wrong = await submit(`${path}/setup`, { password: 'otra frase' }, { as: owner });
    const setUp = await submit(`${path}/setup`, { password }, { as: owner });
    const fields = new Map(fieldsIn(setUp.html, `${path}/enable`));
    const secret = fields.get('secret') ?? '';
    const send = (code: string) =>
      submit(`${path}/enable`, [...fields, ['code', code], ['password', password]], { as: owner });
    const mistyped = await send('000000');
    const enabled = await send(codeOf(secret, -1));

    assert.ok(wrong.status >= 400 && titleOf(wrong.html) === 'Verificación en dos pasos');
    assert.match(setUp.html, /<svg class="qr"/);
    assert.ok(mistyped.status >= 400 && mistyped.html.includes('<svg class="qr"'));
    const codes = enabled.html.match(/<li><code class="code">[^<]+<\/code>/g);
    assert.deepEqual([enabled.status, codes?.length], [200, 10]);
    assert.match((await open(path, owner)).html, /Le quedan 10 de 10/);
    const renewed = await submit(`${path}/recovery-codes`, { password, code: codeOf(secret) }, { as: owner });
    assert.deepEqual([renewed.status, renewed.html.includes('Códigos de recuperación')], [200, true]);
    const disabled = await submit(`${path}/disable`, { password, code: codeOf(secret, 1) }, { as: owner });
    assert.equal(disabled.headers.get('Location'), '/app/account?notice=two_factor_disabled');
  });

  it('carries no secret of the second factor over a sign-in', async () => {
    const fields = {
      secret: 'JBSWY3DPEHPK3PXP',
      otpauthUrl: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP',
      code: '123456',
    };

    const { status, html } = await submit('/app/account/two-factor/enable', fields);

    assert.equal(status, 401);
    assert.ok(!html.includes('JBSWY3DPEHPK3PXP') && !html.includes('123456'));
  });
});

describe('/app/notifications', () => {
  it('lists the own ones, marks one and all as read, and filters', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    await build.notification(business, { title: MARKUP, metadata: JSON.stringify({ quoteId: quote.id }) });
    await build.notification(business, { title: 'La segunda' });
    const colleague = await collaboratorOf(business);

    const { html } = await open('/app/notifications', business.owner);

    assert.ok(html.includes(ESCAPED) && html.includes(`/app/quotes/${quote.id}`) && html.includes('2 sin leer'));
    assert.match((await open('/app/notifications', colleague)).html, /Todavía no hay notificaciones/);
    const read = /action="(\/app\/notifications\/\w+\/read)"/.exec(html)?.[1] ?? '';
    await submit(read, {}, { as: business.owner });
    assert.match((await open('/app/notifications?unread=true', business.owner)).html, /1 sin leer/);
    await submit('/app/notifications/read-all', {}, { as: business.owner });
    assert.match(
      (await open('/app/notifications?unread=true', business.owner)).html,
      /No tiene notificaciones sin leer/,
    );
  });
});

describe('/app/audit-log', () => {
  it('says who did what, filters, goes on by cursor, and ignores filters that are no dates', async () => {
    const business = await build.business();
    for (let number = 0; number < 26; number += 1)
      await build.client(business.owner, { contactName: `Cliente ${number}` });

    const { html } = await open('/app/audit-log', business.owner);

    assert.match(html, /Creó: cliente/);
    const next = /href="(\/app\/audit-log\?cursor=[^"]+)" rel="next"/.exec(html)?.[1] ?? '';
    assert.equal((await open(next, business.owner)).status, 200);
    assert.match((await open('/app/audit-log?action=delete', business.owner)).html, /Ningún cambio coincide/);
    assert.equal((await open('/app/audit-log?from=ayer', business.owner)).status, 200);
  });
});
