import { newApiKey } from '../../../adapters/crypto/api-keys.ts';
import { newId } from '../../../db/ids.ts';
import { business, patchTenant } from '../../api/build.ts';
import { ownService, type Service } from '../../api/service.ts';
import type { Recorder } from './recorder.ts';
import { ITEM, type Made } from './refusal-world.ts';

/** Refusals because of limits: of the plan, of records, of requests, and of the service itself. */
export async function limits(app: Service, recorder: Recorder, made: Made): Promise<void> {
  await full(app, recorder);
  await free(recorder, made);
  const { call } = recorder;
  const [busy, broken] = await Promise.all([
    ownService({ RATE_LIMITS: 'on', RATE_USER_PER_MINUTE: '1' }),
    ownService({ DATABASE_URL: 'postgres://none@127.0.0.1:1/none' }),
  ]);
  await call('GET /api/quotes', { of: busy, isExample: false });
  await call('GET /api/quotes', { of: busy, status: 429 });
  await call('GET /api/quotes', { of: broken, status: 503 });
}

/** A business that has all the records it may have. */
async function full({ deps }: Service, { call }: Recorder): Promise<void> {
  const { tenantId, userId, owner: as } = await business();
  const ids = (count: number) => Array.from({ length: count }, () => ({ id: newId(), tenantId }));
  const actions = [{ type: 'send_notification', title: 'Nueva', body: 'Una cotización' }];
  const subscription = { url: 'https://erp.lapalma.example/avisos', events: ['quote.sent'] };
  const rule = { name: 'Avisar', trigger: 'QUOTE_CREATED', actions };
  await deps.withTenant(tenantId, async (trx) => {
    const keys = ids(50).map((row) => {
      const { hash, prefix, last4 } = newApiKey();
      return { ...row, userId, name: 'Integración', hash, prefix, last4 };
    });
    await trx('apiKeys').insert(keys);
    await trx('webhooks').insert(
      ids(50).map((row) => ({ ...row, ...subscription, secretSealed: 'x', secretLast4: 'abcd' })),
    );
    const stored = { ...rule, isActive: true, conditions: '[]', actions: JSON.stringify(actions), delayMinutes: 0 };
    await trx('automations').insert(ids(100).map((row) => ({ ...row, ...stored })));
  });
  await call('POST /api/api-keys', { as, body: { name: 'Otra integración' }, status: 409 });
  await call('POST /api/webhooks', { as, body: subscription, status: 409 });
  await call('POST /api/connector/hooks', {
    as,
    body: { targetUrl: subscription.url, event: 'quote.sent' },
    status: 409,
  });
  await call('POST /api/automations', { as, body: rule, status: 409 });
}

/** A business without PRO, whose number format makes a number twice. */
async function free({ call }: Recorder, { office, template }: Made): Promise<void> {
  const own = await business();
  const as = own.owner;
  const { id: clientId } = await call('POST /api/clients', {
    as,
    body: { contactName: 'Sofía Lara' },
    isExample: false,
  });
  const body = { clientId, items: [ITEM] };
  await call('PUT /api/settings', { as, body: { numberFormat: 'COT-1{number}' }, isExample: false });
  await call('POST /api/quotes', { as, body, isExample: false });
  await call('PUT /api/settings', {
    as,
    body: { numberFormat: 'COT-{number}', nextQuoteNumber: 11 },
    isExample: false,
  });
  await call('POST /api/quotes', { as, body, status: 409 });
  await patchTenant(own, { plan: 'FREE' });
  await call('GET /api/webhooks', { as, status: 403 });
  await call('POST /api/quotes/:id/revise', { as, params: { id: office }, body, status: 403 });
  await call('POST /api/templates', { as, body: { name: 'Oficina básica', items: [ITEM] }, status: 403 });
  await call('PATCH /api/templates/:id', {
    as,
    params: { id: template },
    body: { name: 'Oficina básica' },
    status: 403,
  });
}
