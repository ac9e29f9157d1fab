import assert from 'node:assert/strict';
import * as build from './build.ts';
import { receiver } from './receiver.ts';
import { type Credential, type Service, service } from './service.ts';
import { rowCounts } from './stored.ts';

describe('POST /api/automations/:id/test', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const automation = async (as: Credential, body: Record<string, unknown>) => {
    const res = await app.post('/api/automations', { name: 'Prueba', trigger: 'QUOTE_CREATED', ...body }, as);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body as { id: string };
  };
  const NOTIFY = { type: 'send_notification', title: 'Hola', body: 'x' };
  const run = (id: string, quoteId: string, as: Credential) => app.post(`/api/automations/${id}/test`, { quoteId }, as);

  it('answers each condition with the actual value of the quote and whether it holds', async () => {
    const { owner } = await build.business();
    const { id: quoteId } = await build.quote(owner, { notes: 'Urgente' });
    const { id } = await automation(owner, {
      actions: [NOTIFY],
      conditions: [
        { field: 'total', operator: 'gte', value: 232 },
        { field: 'notes', operator: 'contains', value: 'URG' },
        { field: 'items.model', operator: 'is_empty' },
        { field: 'status', operator: 'eq', value: 'SENT' },
      ],
    });

    const res = await run(id, quoteId, owner);

    assert.equal(res.status, 200);
    assert.equal(res.body.matched, false);
    assert.deepEqual(
      res.body.conditions.map((c: Record<string, unknown>) => [c['field'], c['operator'], c['value'], c['holds']]),
      [
        ['total', 'gte', 232, true],
        ['notes', 'contains', 'URG', true],
        ['items.model', 'is_empty', null, true],
        ['status', 'eq', 'SENT', false],
      ],
    );
    assert.deepEqual(
      res.body.conditions.map((c: Record<string, unknown>) => c['actual']),
      [232, 'Urgente', [null], 'GENERATED'],
    );
  });

  it('matches if all conditions hold or there are none', async () => {
    const { owner } = await build.business();
    const { id: quoteId } = await build.quote(owner);
    const held = await automation(owner, {
      actions: [NOTIFY],
      conditions: [{ field: 'currency', operator: 'eq', value: 'MXN' }],
    });
    const none = await automation(owner, { actions: [NOTIFY] });

    assert.deepEqual(
      [(await run(held.id, quoteId, owner)).body.matched, (await run(none.id, quoteId, owner)).body.matched],
      [true, true],
    );
  });

  it('previews each action with its variables replaced', async () => {
    const business = await build.business();
    const label = await app.post('/api/labels', { name: 'Grande', color: '#ff0000' }, business.owner);
    const { id: clientId, email } = await build.client(business.owner, { contactName: 'Ana {{quote.total}}' });
    const { id: quoteId, publicToken } = await build.quote(business.owner, { clientId });
    const { id } = await automation(business.owner, {
      actions: [
        {
          type: 'send_email',
          to: 'client',
          subject: 'COT-{{quote.quoteNumber}}',
          body: '{{client.contactName}}: {{quote.url}}',
        },
        { type: 'send_email', to: 'owner', subject: 'a', body: 'b' },
        { type: 'send_email', to: 'custom', customEmail: 'v@acme.example', subject: 'a', body: 'b' },
        { type: 'send_notification', title: '{{quote.total}} {{quote.currency}}', body: 'c' },
        { type: 'change_status', newStatus: 'SENT' },
        { type: 'change_status', newStatus: 'WON' },
        { type: 'add_label', labelId: label.body.id },
        { type: 'create_reminder', delayMinutes: 30, message: 'Llamar a {{business.companyName}}' },
        { type: 'fire_webhook', url: 'https://hooks.example.com/x', includeItems: false },
      ],
    });

    const { body } = await run(id, quoteId, business.owner);

    assert.deepEqual(
      body.actions.map(({ preview }: { preview: string }) => preview),
      [
        `Correo a ${email}: COT-1\n\nAna {{quote.total}}: ${new URL(`/p/${publicToken}`, app.deps.config.PUBLIC_URL).href}`,
        `Correo a ${business.email}: a\n\nb`,
        'Correo a v@acme.example: a\n\nb',
        'Notificación al dueño: $232.00 MXN\n\nc',
        'Estado: de GENERATED a SENT',
        'No se puede cambiar de GENERATED a WON',
        'Etiqueta: Grande',
        'Recordatorio en 30 minutos: Llamar a Acme',
        'POST https://hooks.example.com/x sin partidas',
      ],
    );
  });

  it('has no effects: no call, no row, no change', async () => {
    await using target = await receiver();
    const business = await build.business();
    const { id: quoteId } = await build.quote(business.owner);
    const { id } = await automation(business.owner, {
      actions: [
        { type: 'fire_webhook', url: target.url },
        { type: 'change_status', newStatus: 'SENT' },
      ],
    });
    const before = await rowCounts(business);

    await run(id, quoteId, business.owner);

    assert.deepEqual(await rowCounts(business), before);
    assert.equal(target.calls.length, 0);
    assert.equal((await app.get(`/api/quotes/${quoteId}`, business.owner)).body.status, 'GENERATED');
    assert.equal((await app.get(`/api/automations/${id}/logs`, business.owner)).body.total, 0);
  });

  it("answers 404 «Cotización no encontrada» for another tenant's quote", async () => {
    const [mine, other] = [await build.business(), await build.business()];
    const foreign = await build.quote(other.owner);
    const { id } = await automation(mine.owner, { actions: [NOTIFY] });

    const res = await run(id, foreign.id, mine.owner);

    assert.deepEqual([res.status, res.body.error], [404, 'Cotización no encontrada']);
  });
});
