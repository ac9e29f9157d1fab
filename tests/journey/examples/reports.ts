import type { Receiver } from '../../api/receiver.ts';
import type { Recorder } from './recorder.ts';

const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' }).format(Date.now());

/** Closing quotes, lists and figures. */
export async function reports({ call, chapter }: Recorder, { office }: { office: string }): Promise<void> {
  chapter('2026-12-01T21:10:00.000Z');
  const params = { id: office };
  await call('POST /api/quotes/:id/duplicate', { params });
  await call('GET /api/quotes', { query: { search: 'palma', sort: '-total' } });
  await call('GET /api/quotes/export.csv', { query: { status: 'ACCEPTED' } });
  await call('GET /api/quotes/export.xlsx', { query: { from: today() } });
  await call('GET /api/pipeline', { query: { minAmount: '10000' } });
  await call('GET /api/pipeline/vendors');
  await call('GET /api/dashboard', { query: { from: today(), to: today() } });
  await call('GET /api/onboarding');
  await call('GET /api/reminders');
  await call('GET /api/audit-logs', { query: { entity: 'client', limit: '3' } });
  const { data } = await call('GET /api/notifications', { query: { unread: 'true', limit: '2' } });
  await call('PATCH /api/notifications/:id/read', { params: { id: data[0].id } });
  await call('POST /api/notifications/mark-all-read');
}

/** A platform for automations uses the business's records. */
export async function connector(
  { call, chapter }: Recorder,
  { template, palma }: { template: string; palma: string },
  settled: () => Promise<void>,
): Promise<void> {
  chapter('2026-12-01T22:00:00.000Z');
  await call('GET /api/connector/me');
  await call('POST /api/connector/actions/create-from-template', {
    body: {
      templateId: template,
      clientId: palma,
      title: 'Puesto adicional',
      reference: 'OC-2058',
      notes: 'Entrega mañana',
    },
  });
  await settled();
  await call('GET /api/connector/triggers/:event/sample', { params: { event: 'quote.accepted' } });
  const { id } = await call('POST /api/connector/hooks', {
    body: { targetUrl: 'https://hooks.automatizador.example/catch/8841', event: 'quote.accepted' },
  });
  await call('DELETE /api/connector/hooks/:id', { params: { id } });
}

/** The owner looks after automations and webhooks. */
export async function care(
  { call, chapter }: Recorder,
  { automation, webhook }: { automation: string; webhook: string },
): Promise<void> {
  chapter('2026-12-01T22:40:00.000Z');
  await call('GET /api/automations');
  await call('GET /api/automations/:id', { params: { id: automation } });
  await call('GET /api/automations/:id/logs', { params: { id: automation } });
  await call('GET /api/webhooks');
  await call('GET /api/webhooks/:id', { params: { id: webhook } });
  await call('POST /api/webhooks/:id/test', { params: { id: webhook } });
  const { data } = await call('GET /api/webhooks/:id/deliveries', { params: { id: webhook }, query: { limit: '2' } });
  const params = { id: webhook, deliveryId: data[1].id };
  await call('GET /api/webhooks/:id/deliveries/:deliveryId', { params });
  await call('POST /api/webhooks/:id/deliveries/:deliveryId/replay', { params });
  await call('POST /api/webhooks/:id/rotate-secret', { params: { id: webhook } });
}

/** A webhook that is not needed any more. */
export async function removal({ call }: Recorder, { url }: Receiver): Promise<void> {
  const { id } = await call('POST /api/webhooks', { body: { url, events: ['product.created'] }, isExample: false });
  await call('DELETE /api/webhooks/:id', { params: { id } });
}
