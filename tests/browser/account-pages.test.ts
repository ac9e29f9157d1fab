import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { newId } from '../../db/ids.ts';
import { type Business, PASSWORD, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, flaws, keep, open, PHONE, type Watched } from './browser.ts';
import { type Mail, mailsTo } from './mails.ts';

const NEW_PASSWORD = 'otra frase más larga';

/** The link of an account mail. */
function accountLinkIn({ text }: Mail): string {
  const [link] =
    /\bhttps?:\/\/\S+\/(?:invitation|reset-password|verify-email)\?token=[\w-]{43}(?=\n)/.exec(text ?? '') ?? [];
  assert.ok(link, text ?? '');
  return link;
}

const title = (page: Page) => page.getByRole('heading', { level: 1 });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('Account pages', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  const fine = ({ complaints, foreign }: Watched): void => {
    assert.deepEqual(complaints, []);
    assert.deepEqual(foreign, []);
  };

  async function invite({ owner }: Business): Promise<string> {
    const email = `${newId()}@colaborador.test`;
    const { status } = await service.http.post('/api/collaborators', { email, name: 'Carlos Vela' }, owner);
    assert.equal(status, 201);
    return email;
  }

  async function withSecondFactor(): Promise<{ business: Business; totp: TOTP; recoveryCode: string }> {
    const business = await register(service);
    const { body } = await service.http.post('/api/auth/two-factor/setup', { password: PASSWORD }, business.owner);
    const totp = new TOTP({ secret: Secret.fromBase32(body.secret) });
    // The step before the current one, which the sign-in uses.
    const code = totp.generate({ timestamp: Date.now() - 30_000 });
    const on = await service.http.post('/api/auth/two-factor/enable', { password: PASSWORD, code }, business.owner);
    assert.equal(on.status, 200, JSON.stringify(on.body));
    return { business, totp, recoveryCode: on.body.recoveryCodes[0] };
  }

  async function unverified(): Promise<Business> {
    const business = await register(service);
    await service.rows('update users set email_verified_at = null where tenant_id = $1', business.tenantId);
    await service.rows('update tenants set is_verified = false where id = $1', business.tenantId);
    return business;
  }

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, false],
    [DESK, true],
  ] as const) {
    const how = `${viewport.width} px, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
    const shot = `${viewport.width}-${javaScriptEnabled ? 'js' : 'nojs'}`;
    const options = { viewport, javaScriptEnabled };

    it(`an invitation is accepted from its mail and leads to the start page: ${how}`, async () => {
      const email = await invite(await register(service));
      const [mail] = await mailsTo(email, 1);
      assert.ok(mail);

      await using seen = await open(accountLinkIn(mail), options);
      const { page } = seen;
      await keep(page, `invitation-${shot}`);
      await page.getByLabel('Elija una contraseña').fill('corta');
      await press(page, 'Aceptar y entrar');
      await page.getByText('Revise estos datos').waitFor();
      await keep(page, `invitation-refused-${shot}`);
      await page.getByLabel('Elija una contraseña').fill(NEW_PASSWORD);
      await press(page, 'Aceptar y entrar');

      await page.getByText('Aceptó la invitación').waitFor();
      assert.equal(await title(page).textContent(), 'Hola, Carlos Vela');
      await keep(page, `start-collaborator-${shot}`);
      fine(seen);
    });

    it(`a forgotten password is reset from its mail, and the old one does not work: ${how}`, async () => {
      const { email } = await register(service);

      await using seen = await open(`${service.http.url}/login`, options);
      const { page } = seen;
      await page.getByRole('link', { name: '¿Olvidó su contraseña?' }).click();
      await page.getByLabel('Correo electrónico').fill(email);
      await keep(page, `forgot-${shot}`);
      await press(page, 'Enviar el enlace');
      await page.getByRole('heading', { name: 'Revise su correo' }).waitFor();
      await keep(page, `forgot-sent-${shot}`);
      const [mail] = await mailsTo(email, 1);
      assert.ok(mail);
      await page.goto(accountLinkIn(mail));
      await page.getByLabel('Contraseña nueva').fill(NEW_PASSWORD);
      await keep(page, `reset-${shot}`);
      await press(page, 'Guardar la contraseña');
      await page.getByText('Su contraseña cambió').waitFor();
      await keep(page, `reset-done-${shot}`);
      await page.getByLabel('Correo electrónico').fill(email);
      await page.getByLabel('Contraseña').fill(PASSWORD);
      await press(page, 'Iniciar sesión');
      await page.getByText('no son correctos').waitFor();
      await keep(page, `login-refused-${shot}`);
      await page.getByLabel('Contraseña').fill(NEW_PASSWORD);
      await press(page, 'Iniciar sesión');

      await page.getByRole('heading', { name: 'Hola, Diana Ríos' }).waitFor();
      fine(seen);
    });

    it(`an address is confirmed from a mail that the start page sends again: ${how}`, async () => {
      const { email } = await unverified();

      await using seen = await open(`${service.http.url}/app`, options);
      const { page } = seen;
      await page.getByLabel('Correo electrónico').fill(email);
      await page.getByLabel('Contraseña').fill(PASSWORD);
      await press(page, 'Iniciar sesión');
      await page.getByRole('heading', { name: 'Confirme su correo electrónico' }).waitFor();
      await keep(page, `start-unverified-${shot}`);
      await press(page, 'Enviar el enlace otra vez');
      await page.getByText('Le enviamos otro enlace').waitFor();
      const [mail] = await mailsTo(email, 1);
      assert.ok(mail);
      const link = accountLinkIn(mail);
      await page.goto(link);
      await keep(page, `verify-${shot}`);
      await press(page, 'Confirmar mi correo');
      await page.getByText('Su correo está confirmado').waitFor();
      assert.equal(await page.getByText('Confirme su correo').count(), 0);
      await keep(page, `start-verified-${shot}`);

      await page.goto(link);
      await press(page, 'Confirmar mi correo');
      await page.getByRole('heading', { name: 'Este enlace ya no sirve' }).waitFor();
      await keep(page, `dead-${shot}`);
      fine(seen);
    });

    it(`a sign-in with a second factor takes the code, or a recovery code: ${how}`, async () => {
      const { business, totp, recoveryCode } = await withSecondFactor();

      await using seen = await open(`${service.http.url}/app/quotes`, options);
      const { page } = seen;
      const signIn = async () => {
        await page.getByLabel('Correo electrónico').fill(business.email);
        await page.getByLabel('Contraseña').fill(PASSWORD);
        await press(page, 'Iniciar sesión');
        await page.getByRole('heading', { name: 'Verificación en dos pasos' }).waitFor();
      };
      await keep(page, `login-${shot}`);
      await signIn();
      await keep(page, `code-${shot}`);
      await page.getByLabel('Código de 6 dígitos').fill('000000');
      await press(page, 'Verificar');
      await page.getByText('El código no es correcto').waitFor();
      await keep(page, `code-refused-${shot}`);
      await page.getByLabel('Código de 6 dígitos').fill(totp.generate());
      await press(page, 'Verificar');
      await page.getByRole('heading', { name: 'Cotizaciones', exact: true }).waitFor();
      if (await page.getByText('Menú').isVisible()) await page.getByText('Menú').click();
      await keep(page, `menu-${shot}`);
      await press(page, 'Cerrar sesión');
      await page.getByText('Cerró la sesión').waitFor();
      await signIn();
      await press(page, 'Usar un código de recuperación');
      await page.getByLabel('Código de recuperación').fill(recoveryCode);
      await keep(page, `recovery-${shot}`);
      await press(page, 'Verificar');

      await page.getByRole('heading', { name: 'Hola, Diana Ríos' }).waitFor();
      fine(seen);
    });
  }

  it('Enter in a field of the second step verifies the code, and does not ask for a recovery code', async () => {
    const { business, totp } = await withSecondFactor();

    await using seen = await open(`${service.http.url}/login`);
    const { page } = seen;
    await page.getByLabel('Correo electrónico').fill(business.email);
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Código de 6 dígitos').fill(totp.generate());
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Hola, Diana Ríos' }).waitFor();
    fine(seen);
  });

  it('the pages have no flaws at 390 and 1280 px, light and dark', async () => {
    const { email, owner } = await register(service);
    const signedIn = { name: '', value: '' };
    [signedIn.name = '', signedIn.value = ''] = (owner['Cookie'] ?? '').split('=');
    const unknown = 'A'.repeat(43);
    const found: string[] = [];

    await using seen = await open(`${service.http.url}/login`);
    const { page } = seen;
    const check = async (state: string) => found.push(...(await flaws(page)).map((line) => `${state}: ${line}`));
    for (const path of [
      '/login',
      '/register',
      '/forgot-password',
      `/invitation?token=${unknown}`,
      `/reset-password?token=${unknown}`,
      `/verify-email?token=${unknown}`,
      '/invitation',
    ]) {
      await page.goto(service.http.url + path);
      await check(path);
    }
    await page.goto(`${service.http.url}/register`);
    await press(page, 'Crear la cuenta');
    await page.getByText('Revise estos datos').waitFor();
    await check('/register, refused');
    await page.goto(`${service.http.url}/reset-password?token=${unknown}`);
    await page.getByLabel('Contraseña nueva').fill(NEW_PASSWORD);
    await press(page, 'Guardar la contraseña');
    await page.getByRole('heading', { name: 'Este enlace ya no sirve' }).waitFor();
    await check('a link that does not work');
    await page.goto(`${service.http.url}/forgot-password`);
    await page.getByLabel('Correo electrónico').fill(email);
    await press(page, 'Enviar el enlace');
    await page.getByRole('heading', { name: 'Revise su correo' }).waitFor();
    await check('/forgot-password, sent');
    await page.context().addCookies([{ ...signedIn, url: service.http.url }]);
    for (const path of ['/app', '/app/quotes', '/app/clients/new', '/app/nada']) {
      await page.goto(service.http.url + path);
      await check(path);
    }
    await page.goto(`${service.http.url}/app/clients/new`);
    await press(page, 'Crear el cliente');
    await page.getByText('Revise estos datos').waitFor();
    await check('/app/clients/new, refused');

    assert.deepEqual(found, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.foreign, []);
  });

  it('the error summary has the focus and leads to the field', async () => {
    const { owner } = await register(service);
    const [name = '', value = ''] = (owner['Cookie'] ?? '').split('=');

    await using seen = await open(`${service.http.url}/login`);
    const { page } = seen;
    await page.context().addCookies([{ name, value, url: service.http.url }]);
    await page.goto(`${service.http.url}/app/clients/new`);
    await press(page, 'Crear el cliente');
    await page.getByText('Revise estos datos').waitFor();
    const focused = await page.evaluate<string>('document.activeElement.className');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    assert.equal(focused, 'summary');
    assert.equal(await page.evaluate<string>('document.activeElement.id'), 'contactName');
  });
});
