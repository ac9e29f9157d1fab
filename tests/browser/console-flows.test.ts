import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { receiver } from '../api/receiver.ts';
import { makeQuote, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { DESK, flaws, keep, openAs } from './browser.ts';

describe('Pages of automations and webhooks', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

  async function add(page: Page, what: 'condición' | 'acción', label: string): Promise<void> {
    await page.getByLabel(`Agregar una ${what}`).selectOption({ label });
    await press(page, `Agregar ${what}`);
  }

  const checked = async (page: Page, name: string) => {
    await keep(page, name);
    assert.deepEqual(await flaws(page), [], name);
    await page.setViewportSize(DESK);
  };

  it('makes an automation with conditions and actions, and tries it with a quote', async () => {
    const business = await register(service);
    const quote = await makeQuote(service, business);
    await using seen = await openAs(business.owner, '/app/automations');
    const { page } = seen;
    await checked(page, 'automations-empty');
    await follow(page, 'Crear la primera');
    await checked(page, 'automation-new');
    await page.getByLabel('Nombre').fill('Llamar a los dos días');
    await page.getByLabel('Cuándo').selectOption({ label: 'Se envía una cotización' });
    await add(page, 'condición', 'Total');
    await page.getByLabel('Comparación').selectOption({ label: 'es al menos' });
    // Enter saves, and does not press the button of a row.
    await page.getByLabel('Valor').press('Enter');
    await page.getByText('Revise estos datos').waitFor();
    await checked(page, 'automation-refused');
    await page.getByLabel('Valor').fill('100');
    await add(page, 'condición', 'Estado');
    await add(page, 'acción', 'Crear un recordatorio');
    await page.getByLabel('Qué recordar').fill('Llamar a {{client.contactName}} por la {{quote.displayNumber}}');
    await add(page, 'acción', 'Enviar un correo');
    await page.getByLabel('Asunto').fill('Su cotización {{quote.displayNumber}}');
    await page.getByLabel('Texto').fill('Hola {{client.contactName}}: ¿tiene alguna duda sobre {{quote.url}}?');
    await add(page, 'acción', 'Llamar a otro sistema');
    await page.getByLabel('Dirección (URL)').fill('http://127.0.0.1:9/aviso');
    await page.getByLabel('Encabezados').fill('X-Origen: cotizaciones');
    await press(page, 'Subir. 3. Llamar a otro sistema');
    await checked(page, 'automation-filled');
    await press(page, 'Quitar. 2. Llamar a otro sistema');
    await press(page, 'Crear la automatización');
    await page.getByText('La automatización se creó.').waitFor();
    await checked(page, 'automation');
    await follow(page, 'Probar');
    await page.getByLabel('Cotización', { exact: true }).selectOption(quote.id);
    await press(page, 'Probar');
    await page.getByText('Las condiciones se cumplen').waitFor();
    await checked(page, 'automation-test');
    await service.rows(
      `insert into automation_logs (id, tenant_id, automation_id, quote_id, event_id, conditions, actions, delay_minutes, status, error, completed_at, dispatched_at)
       select 'c' || substr(md5(random()::text), 1, 24), tenant_id, id, $2, 'c' || substr(md5(random()::text), 1, 24), '[]', '[]', 0, 'FAILED',
              'acción 1 (send_email): el cliente no tiene correo', now(), now() from automations where tenant_id = $1`,
      business.tenantId,
      quote.id,
    );
    await follow(page, 'Volver');
    await page.getByText('acción 2 (Enviar un correo)').waitFor();
    await checked(page, 'automation-runs');
    await page.goto(`${service.http.url}/app/automations`);
    await checked(page, 'automations');
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });

  it('makes a webhook, tests it, and reads its deliveries', async () => {
    await using target = await receiver((res) => res.writeHead(500).end('{"error":"sin cupo"}'));
    const business = await register(service);
    await using seen = await openAs(business.owner, '/app/webhooks');
    const { page } = seen;
    await checked(page, 'webhooks-empty');
    await follow(page, 'Nuevo webhook');
    await press(page, 'Crear el webhook');
    await page.getByText('Revise estos datos').waitFor();
    await checked(page, 'webhook-refused');
    await page.getByLabel('Dirección (URL)').fill(target.url);
    await page.locator('[value="quote.sent"]').check();
    await page.locator('[value="quote.accepted"]').check();
    await press(page, 'Crear el webhook');
    assert.match(await page.getByLabel('Secreto de firma').inputValue(), /^whsec_/);
    await checked(page, 'webhook-created');
    await follow(page, 'Ya lo guardé');
    await checked(page, 'webhook');
    await press(page, 'Enviar una prueba');
    await page.getByText('Sin entregar').waitFor();
    await checked(page, 'delivery');
    await follow(page, 'Volver al webhook');
    await page.getByText('Cambiar el secreto', { exact: true }).click();
    await checked(page, 'webhook-deliveries');
    await press(page, 'Crear un secreto nuevo');
    await page.getByRole('heading', { name: 'Secreto nuevo' }).waitFor();
    await follow(page, 'Ya lo guardé');
    await press(page, 'Desactivar');
    await page.getByText('Este webhook está inactivo').waitFor();
    await checked(page, 'webhook-inactive');
    await page.goto(`${service.http.url}/app/webhooks`);
    await checked(page, 'webhooks');
    assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
  });
});
