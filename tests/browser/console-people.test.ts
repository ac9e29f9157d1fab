import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { newId } from '../../db/ids.ts';
import { makeQuote, PASSWORD, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, flaws, keep, openAs } from './browser.ts';

describe('Pages of people, keys and the own account', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

  const checked = async (page: Page, name: string) => {
    await keep(page, name);
    assert.deepEqual(await flaws(page), [], name);
    await page.setViewportSize(DESK);
  };

  it('invites a colleague, makes and revokes a key, and reads notifications and changes', async () => {
    const business = await register(service);
    await using seen = await openAs(business.owner, '/app/team');
    const { page } = seen;
    await checked(page, 'team-alone');
    await follow(page, 'Invitar');
    await press(page, 'Enviar la invitación');
    await page.getByText('Revise estos datos').waitFor();
    await checked(page, 'invite-refused');
    await page.getByLabel('Nombre').fill('Carlos Vela');
    await page.getByLabel('Correo electrónico').fill(`${newId()}@colaborador.test`);
    await press(page, 'Enviar la invitación');
    await page.getByText('La invitación se envió.').waitFor();
    await checked(page, 'team');
    await follow(page, 'Carlos Vela');
    await checked(page, 'person');

    await page.goto(`${service.http.url}/app/api-keys`);
    await checked(page, 'keys-empty');
    await follow(page, 'Nueva clave');
    await page.getByLabel('Para qué es').fill('Contabilidad');
    await checked(page, 'key-new');
    await press(page, 'Crear la clave');
    assert.match(await page.getByLabel('Su clave').inputValue(), /^svc_/);
    await checked(page, 'key-created');
    await follow(page, 'Ya la guardé');
    await page.getByText('Revocar', { exact: true }).click();
    await checked(page, 'keys');
    await press(page, 'Revocar la clave');
    await page.getByText('La clave ya no vale.').waitFor();

    await makeQuote(service, business);
    await page.goto(`${service.http.url}/app/audit-log`);
    await page.getByText('Ver', { exact: true }).first().click();
    await checked(page, 'audit-log');
    await page.goto(`${service.http.url}/app/notifications`);
    await checked(page, 'notifications-empty');
    await service.rows(
      `insert into notifications (id, event_id, tenant_id, user_id, type, title, body, metadata)
       select 'c' || substr(md5(random()::text), 1, 24), 'c' || substr(md5(random()::text), 1, 24), tenant_id, id, 'quote_accepted', 'Cotización aceptada',
              'Laura Méndez aceptó la cotización COT-1', '{"quoteId": "c5tz6q8v0k3m9w2x7y4n1b0d"}'
         from users, generate_series(1, 2) where tenant_id = $1 and role = 'OWNER'`,
      business.tenantId,
    );
    await page.reload();
    await checked(page, 'notifications');
    await page.getByRole('button', { name: 'Marcar como leída' }).first().click();
    await page.getByText('1 sin leer').waitFor();
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('sets up the second factor and manages sessions', async () => {
    await using seen = await openAs((await register(service)).owner, '/app/account');
    const { page } = seen;
    await checked(page, 'account');
    await follow(page, 'Activar');
    await checked(page, 'factor-set-up');
    await page.getByLabel('Su contraseña').fill(PASSWORD);
    await press(page, 'Continuar');
    await page.getByRole('img', { name: 'Código QR de su clave' }).waitFor();
    await checked(page, 'factor-code');
    const secret = await page.locator('input[name=secret]').inputValue();
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await page.getByLabel('Código de 6 dígitos').fill(totp.generate({ timestamp: Date.now() - 30_000 }));
    await page.getByLabel('Su contraseña').fill(PASSWORD);
    await press(page, 'Activar');
    await page.getByRole('heading', { name: 'Códigos de recuperación' }).waitFor();
    await checked(page, 'factor-codes');
    await follow(page, 'Ya los guardé');
    await follow(page, 'Administrar');
    await checked(page, 'factor-manage');
    await follow(page, 'Desactivar la verificación');
    await checked(page, 'factor-disable');
    await page.goto(`${service.http.url}/app/account`);
    await follow(page, 'Cambiar la contraseña');
    await press(page, 'Cambiar la contraseña');
    await page.getByText('Revise estos datos').waitFor();
    await checked(page, 'password-refused');
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });
});
