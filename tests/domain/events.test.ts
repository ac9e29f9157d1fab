import assert from 'node:assert/strict';
import { UNANSWERED } from '../../domain/answer.ts';
import { fireWebhookPayload, type EventQuote, quotePayload } from '../../domain/events.ts';

const line = (productName: string, more: Partial<EventQuote['items'][number]> = {}): EventQuote['items'][number] => ({
  productName,
  model: null,
  unitPrice: '10.000000',
  quantity: 1.5,
  discountPct: '0.0000',
  description: null,
  section: null,
  unit: 'm²',
  taxes: 'IVA16,RET_IVA',
  optional: true,
  choice: null,
  counts: true,
  ...more,
});

const QUOTE: EventQuote = {
  id: 'q',
  quoteNumber: 7,
  status: 'SENT',
  total: '11.600',
  subtotal: '10.000',
  tax: '-1.600',
  shippingCost: '3.200',
  version: 2,
  expiresAt: new Date('2027-01-16T05:59:59.999Z'),
  displayNumber: 'F-7',
  reference: 'OC-1',
  metadata: '{"pedido":"P-7"}',
  currency: 'MXN',
  notes: '',
  ...UNANSWERED,
  client: { id: 'c', contactName: 'Laura', companyName: null, email: null },
  items: [line('Cuenta'), line('No cuenta', { counts: false })],
};

describe('fireWebhookPayload', () => {
  it('has the specified members only, and only lines that count', () => {
    const { items, ...quote } = fireWebhookPayload(QUOTE);

    assert.deepEqual(Object.keys(quote), [
      'id', 'quoteNumber', 'status', 'total', 'subtotal', 'currency', 'notes', 'client',
    ]); // prettier-ignore
    assert.deepEqual(items, [{ productName: 'Cuenta', model: null, unitPrice: 10, quantity: 1.5, discountPct: 0 }]);
  });
});

describe('quotePayload', () => {
  it('has all lines with their taxes and whether they count, and the members of the document', () => {
    const { items, tax, shippingCost, version, expiresAt, displayNumber, reference, metadata } = quotePayload(QUOTE);

    assert.deepEqual(
      { tax, shippingCost, version, expiresAt, displayNumber, reference, metadata },
      {
        tax: -1.6,
        shippingCost: 3.2,
        version: 2,
        expiresAt: '2027-01-16T05:59:59.999Z',
        displayNumber: 'F-7',
        reference: 'OC-1',
        metadata: { pedido: 'P-7' },
      },
    );
    assert.deepEqual(
      items.map(({ taxes, selected, counts, unit }) => ({ taxes, selected, counts, unit })),
      [
        { taxes: ['IVA16', 'RET_IVA'], selected: true, counts: true, unit: 'm²' },
        { taxes: ['IVA16', 'RET_IVA'], selected: false, counts: false, unit: 'm²' },
      ],
    );
  });
});
