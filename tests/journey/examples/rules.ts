import type { Receiver } from '../../api/receiver.ts';
import { SUBSCRIBABLE_EVENTS } from '../../../domain/event-types.ts';
import type { Recorder } from './recorder.ts';

/** What the business has set up before its first quote. */
export interface Rules {
  readonly label: string;
  readonly automation: string;
  readonly template: string;
}

/** The webhook exists before the first record, so that it receives every event. */
export async function subscription({ call, chapter }: Recorder, { url }: Receiver): Promise<{ webhook: string }> {
  chapter('2026-12-01T15:10:00.000Z');
  await call('GET /api/webhooks/events');
  const { id } = await call('POST /api/webhooks', { body: { url, events: ['quote.created', 'quote.sent'] } });
  await call('PUT /api/webhooks/:id', { params: { id }, body: { events: [...SUBSCRIBABLE_EVENTS] } });
  return { webhook: id };
}

/** Labels, automations and a template. */
export async function rules({ call, chapter }: Recorder, chair: string): Promise<Rules> {
  chapter('2026-12-01T16:50:00.000Z');
  const label = await call('POST /api/labels', { body: { name: 'Urgente', color: '#1d5fd1' } });
  const spare = await call('POST /api/labels', { body: { name: 'Feria' }, isExample: false });
  await call('PATCH /api/labels/:id', { params: { id: spare.id }, body: { name: 'Feria 2026', color: '#0f766e' } });
  await call('GET /api/labels');
  await call('DELETE /api/labels/:id', { params: { id: spare.id } });

  const automation = await call('POST /api/automations', {
    body: {
      name: 'Seguir las cotizaciones grandes',
      trigger: 'QUOTE_SENT',
      conditions: [{ field: 'total', operator: 'gte', value: 20000 }],
      actions: [
        { type: 'add_label', labelId: label.id },
        { type: 'create_reminder', delayMinutes: 2880, message: 'Llamar a {{client.contactName}}' },
        { type: 'send_notification', title: 'Enviada: {{quote.quoteNumber}}', body: 'Para {{client.contactName}}' },
      ],
    },
  });
  await call('PATCH /api/automations/:id', {
    params: { id: automation.id },
    body: { name: 'Seguir cotizaciones desde 20 000', conditions: [{ field: 'total', operator: 'gte', value: 20000 }] },
  });
  const spareRule = await call('POST /api/automations', {
    body: {
      name: 'Avisar de cotizaciones nuevas',
      trigger: 'QUOTE_CREATED',
      isActive: false,
      actions: [{ type: 'send_notification', title: 'Nueva', body: 'Cotización {{quote.quoteNumber}}' }],
    },
    isExample: false,
  });
  await call('DELETE /api/automations/:id', { params: { id: spareRule.id } });

  const template = await call('POST /api/templates', {
    body: {
      name: 'Oficina básica',
      description: 'Un puesto de trabajo',
      items: [
        { productId: chair, productName: 'Silla ejecutiva', model: 'SE-200', unitPrice: 1850.5, quantity: 1 },
        { productName: 'Escritorio de roble', model: 'ER-140', unitPrice: 6750, quantity: 1, discountPct: 5 },
      ],
      notes: 'Entrega en 5 días hábiles',
      shippingCost: 150,
      currency: 'MXN',
    },
  });
  await call('PATCH /api/templates/:id', {
    params: { id: template.id },
    body: { description: 'Un puesto de trabajo, con silla' },
  });
  await call('GET /api/templates/:id', { params: { id: template.id } });
  await call('GET /api/templates');
  await call('GET /api/connector/actions/list-templates', { query: { search: 'oficina' } });
  const { id } = await call('POST /api/templates', {
    body: { name: 'Borrador', items: [{ productName: 'Banco alto', unitPrice: 780.5, quantity: 2 }] },
    isExample: false,
  });
  await call('DELETE /api/templates/:id', { params: { id } });
  return { label: label.id, automation: automation.id, template: template.id };
}
