import assert from 'node:assert/strict';
import { expiryMoments } from '../../../domain/expiry.ts';
import { form, pdf } from '../../api/attachment-files.ts';
import { signatureUrl } from '../../api/build.ts';
import { eventually } from '../../eventually.ts';
import type { Receiver } from '../../api/receiver.ts';
import type { Credential, Service } from '../../api/service.ts';
import type { Catalog } from './catalog.ts';
import type { Recorder } from './recorder.ts';
import type { Rules } from './rules.ts';

interface Quotes {
  /** ACCEPTED. */
  readonly office: string;
  /** Of the office's page. */
  readonly token: string;
  /** REJECTED. */
  readonly lobby: string;
  readonly lobbyToken: string;
}

/** A client's browser. */
const BROWSER = {
  'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
};
const CLIENT = { as: {}, headers: BROWSER };

/** A day of the business. */
const dayAhead = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' }).format(Date.now() + days * 86_400_000);

const officeOf = ({ palma, chair, desk }: Catalog) => ({
  clientId: palma,
  title: 'Remodelación de oficinas',
  reference: 'OC-2041',
  items: [
    { productId: chair, productName: 'Silla ejecutiva', model: 'SE-200', section: 'Mobiliario', unitPrice: 1850.5, quantity: 4, discountPct: 10, taxes: ['IVA16'] },
    { productId: desk, productName: 'Escritorio de roble', model: 'ER-140', section: 'Mobiliario', unitPrice: 6750, quantity: 2, taxes: ['IVA16'] },
    { productName: 'Armado e instalación', section: 'Servicios', unit: 'hora', unitPrice: 320, quantity: 6.5, taxes: ['IVA16', 'RET_IVA'] },
    { productName: 'Lámpara de pie', section: 'Opcionales', unitPrice: 980, quantity: 2, taxes: ['IVA16'], optional: true },
  ],
  discountPct: 5,
  shippingCost: 450,
  shippingTaxes: ['IVA16'],
  deposit: { type: 'percent', value: 50, note: 'Al firmar' },
  internalNotes: 'Margen del 30 %',
  metadata: { pedido: 'P-77' },
}); // prettier-ignore

/** Two quotes: one is revised on the client's request and accepted, one is rejected. */
export async function quotes(
  app: Service,
  recorder: Recorder,
  catalog: Catalog,
  { label, automation, colleague }: Rules & { readonly colleague: Credential },
  settled: () => Promise<void>,
): Promise<Quotes> {
  const { call, chapter, look } = recorder;
  chapter('2026-12-01T17:30:00.000Z');
  const body = officeOf(catalog);
  const { id, publicToken: token } = await call('POST /api/quotes', {
    body,
    headers: { 'Idempotency-Key': 'pedido-P-77' },
  });
  await call('POST /api/quotes/preview', { body });
  const params = { id };
  await settled();
  await eventually(async () => {
    const runs = await look(`/api/quotes/${id}/runs`);
    assert.deepEqual(runs.map(({ status }: { status: string }) => status).sort(), ['COMPLETED', 'RUNNING']); // prettier-ignore
  });
  await call('GET /api/quotes/:id/history', { params });
  await call('GET /api/quotes/:id/runs', { params });
  await call('GET /api/quotes/:id', { params });
  await call('PATCH /api/quotes/:id', { params, body: { validUntil: dayAhead(20) } });
  await call('POST /api/quotes/:id/labels/:labelId', { params: { id, labelId: label } });
  await call('DELETE /api/quotes/:id/labels/:labelId', { params: { id, labelId: label } });
  const plan = await call('POST /api/quotes/:id/attachments', {
    params,
    form: form(pdf({ mark: 'plano' }), 'plano.pdf'),
  });
  const draft = await call('POST /api/quotes/:id/attachments', { params, form: form(pdf({ mark: 'boceto' }), 'boceto.pdf'), isExample: false }); // prettier-ignore
  await call('GET /api/quotes/:id/attachments/:attachmentId', { params: { id, attachmentId: plan.id } });
  await call('DELETE /api/quotes/:id/attachments/:attachmentId', { params: { id, attachmentId: draft.id } });
  await call('GET /api/quotes/:id/attachments', { params });
  await call('GET /api/quotes/:id/pdf', { params });
  await call('POST /api/automations/:id/test', { params: { id: automation }, body: { quoteId: id } });

  chapter('2026-12-01T18:20:00.000Z');
  await call('POST /api/quotes/:id/share/preview', {
    params,
    body: { message: 'Incluye el descuento que acordamos.' },
  });
  await call('POST /api/quotes/:id/share', {
    params,
    body: {
      to: ['ana@lapalma.example'],
      cc: ['compras@lapalma.example'],
      message: 'Incluye el descuento que acordamos.',
    },
  });
  await settled();
  await call('GET /api/quotes/:id/link', { params });
  await app.request('GET', `/p/${token}`, { headers: BROWSER });
  await settled();
  await call('GET /api/portal/:token', { params: { token }, ...CLIENT });
  await call('GET /api/portal/:token/pdf', { params: { token }, ...CLIENT });
  await call('GET /api/portal/:token/attachments/:attachmentId', {
    params: { token, attachmentId: plan.id },
    ...CLIENT,
  });
  await call('POST /api/portal/:token/request-changes', {
    params: { token },
    ...CLIENT,
    body: { message: '¿Puede incluir la instalación?', version: 1, name: 'Ana Torres', email: 'ana@lapalma.example' },
  });
  await settled();
  await call('POST /api/quotes/:id/messages', {
    params,
    body: { body: 'Con gusto: hoy le enviamos la nueva versión.' },
  });
  await settled();
  await call('GET /api/quotes/:id/messages', { params });
  await call('POST /api/quotes/:id/revise', { params, body: { ...body, notes: 'Incluye la instalación', attachmentIds: [plan.id] } }); // prettier-ignore
  await call('GET /api/quotes/:id/versions', { params });

  chapter('2026-12-01T19:10:00.000Z');
  const { items } = await call('GET /api/portal/:token', { params: { token }, ...CLIENT, isExample: false });
  const lamp = items.find((item: { optional: boolean }) => item.optional).id;
  const shown = { version: 2, selectedItemIds: [lamp] };
  await call('POST /api/portal/:token/totals', { params: { token }, ...CLIENT, body: shown });
  await call('POST /api/portal/:token/accept', {
    params: { token },
    ...CLIENT,
    body: {
      signerName: 'Ana Torres',
      signerEmail: 'ana@lapalma.example',
      ...shown,
      signature: { type: 'drawn', data: await signatureUrl() },
      locale: 'es-MX',
    },
  });
  await settled();
  await call('GET /api/quotes/:id/signature', { params });
  await call('GET /api/quotes/:id/signature/evidence', { params });
  await call('POST /api/quotes/:id/pdf', { params });
  const lobby = await rejected(recorder, catalog, colleague);
  await settled();
  return { office: id, token, ...lobby };
}

async function rejected(
  { call, chapter }: Recorder,
  { brisas }: Catalog,
  as: Credential,
): Promise<Pick<Quotes, 'lobby' | 'lobbyToken'>> {
  chapter('2026-12-01T20:00:00.000Z');
  const { id } = await call('POST /api/quotes', {
    as,
    body: {
      clientId: brisas,
      title: 'Recepción',
      items: [{ productName: 'Sillón de dos plazas', unitPrice: 8990, quantity: 1 }],
    },
    isExample: false,
  });
  await call('PATCH /api/quotes/:id/status', { params: { id }, body: { status: 'SENT' } });
  const { publicToken } = await call('POST /api/quotes/:id/link/rotate', { params: { id } });
  await call('POST /api/portal/:token/reject', {
    params: { token: publicToken },
    ...CLIENT,
    body: { reason: 'Encontramos un mejor precio' },
  });
  return { lobby: id, lobbyToken: publicToken };
}

const SOON_MS = 1_500;
const DAY_MS = 86_400_000;

/** An expiry whose announcement, a day before it and some minutes later, is soon. */
const announcedSoon = (quoteId: string): Date => {
  const expiresAt = new Date(Date.now() + DAY_MS + SOON_MS);
  const { expiringAt } = expiryMoments({ quoteId, expiresAt, reminderDaysBefore: 3, timeZone: 'America/Mexico_City' });
  return new Date(expiresAt.getTime() - (expiringAt.getTime() - (expiresAt.getTime() - DAY_MS)));
};

/** Two SENT quotes without an answer: one is about to expire, one expires. */
export async function unanswered(
  { call, chapter, laterBy }: Recorder,
  { brisas }: Catalog,
  endpoint: Receiver,
): Promise<{ expired: string; expiredToken: string }> {
  chapter('2026-12-01T20:30:00.000Z');
  const made: { id: string; publicToken: string }[] = [];
  for (const [title, event, expiryOf] of [
    ['Terraza', 'quote.expiring', (id: string) => laterBy(announcedSoon(id), DAY_MS)],
    ['Salón de eventos', 'quote.expired', () => laterBy(new Date(Date.now() + SOON_MS), 0)],
  ] as const) {
    const items = [{ productName: 'Mesa plegable', unitPrice: 1290, quantity: 12, discountPct: 12.5 }];
    const { id, publicToken } = await call('POST /api/quotes', {
      body: { clientId: brisas, title, items },
      isExample: false,
    });
    made.push({ id, publicToken });
    await call('PATCH /api/quotes/:id/status', { params: { id }, body: { status: 'SENT' }, isExample: false });
    await call('PATCH /api/quotes/:id', { params: { id }, body: { expiresAt: expiryOf(id) }, isExample: false });
    await eventually(() => {
      const own = endpoint.calls.filter(
        ({ headers, body }) => headers['x-service-event'] === event && body.includes(id),
      );
      assert.equal(own.length, 1, event);
    });
  }
  const [, expired] = made;
  return { expired: expired?.id ?? '', expiredToken: expired?.publicToken ?? '' };
}
