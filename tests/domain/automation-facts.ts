import type { AutomationFacts } from '../../domain/automation.ts';

/** A quote as automations see it. */
export const FACTS: AutomationFacts = {
  quote: {
    quoteNumber: 12,
    displayNumber: 'COT-12',
    status: 'SENT',
    subtotal: '1000.000',
    tax: '160.000',
    shippingCost: '0.000',
    total: '1160.000',
    currency: 'MXN',
    notes: 'Entrega URGENTE en Ñuñoa',
    expiresAt: '2026-12-16T05:59:59.999Z',
    viewCount: 3,
    url: 'https://cotiza.example/p/abc',
  },
  client: { contactName: 'Laura Méndez', companyName: 'La Palma', email: 'laura@palma.example', phone: null },
  items: [
    { productName: 'Silla', model: 'SE-200', unitPrice: '500.000000', quantity: 2, discountPct: '0.0000' },
    { productName: 'Mesa', model: null, unitPrice: '150.000000', quantity: 1, discountPct: '10.0000' },
  ],
  business: {
    companyName: 'Acme',
    email: 'hola@acme.example',
    phone: '55 1234',
    timeZone: 'America/Mexico_City',
    locale: 'es-MX',
  },
  user: { name: 'Diana' },
};
