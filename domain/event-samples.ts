import type { EventQuote } from './events.ts';

/** Made-up data of sample events, for a business that has none yet. */

export const SAMPLE_QUOTE: EventQuote = {
  id: 'cexample00000000000quote1',
  quoteNumber: 1,
  status: 'GENERATED',
  subtotal: '1000.00',
  tax: '160.00',
  shippingCost: '0.00',
  total: '1160.00',
  version: 1,
  expiresAt: new Date('2027-01-16T05:59:59.999Z'),
  displayNumber: 'COT-1',
  reference: 'OC-2041',
  metadata: null,
  currency: 'MXN',
  notes: 'Ejemplo',
  client: {
    id: 'cexample0000000000client1',
    contactName: 'Ana Torres',
    companyName: 'Ferretería La Palma',
    email: 'ana@example.com',
  },
  items: [
    {
      productName: 'Silla ejecutiva',
      model: 'SE-200',
      unitPrice: '500.00',
      quantity: 2,
      discountPct: '0.00',
      description: null,
      section: null,
      unit: null,
      taxes: null,
      optional: false,
      choice: null,
      counts: true,
    },
  ],
};

export const SAMPLE_CLIENT = { ...SAMPLE_QUOTE.client, phone: '+52 55 1234 5678' };

export const SAMPLE_PRODUCT = {
  id: 'cexample000000000product1',
  name: 'Silla ejecutiva',
  modelSku: 'SE-200',
  description: null,
  unitPrice: 500,
  currency: 'MXN',
};

/** What a client asks to be changed. */
export const SAMPLE_REQUEST = {
  id: 'cexample000000000message1',
  message: '¿Puede incluir la instalación?',
  name: 'Ana Torres',
  email: 'ana@example.com',
  version: 1,
};
