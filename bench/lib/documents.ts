import { moneyString } from '../../domain/money.ts';
import { quoteTotals } from '../../domain/quote-totals.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';

/** A quote as it is drawn, and the page that a browser prints of it. */

const FIXED = { description: null, section: null, unit: null, optional: false, choice: null, counts: true } as const;

export function drawing(
  count: number,
  more: { notes?: string; branding?: QuoteDrawing['branding'] } = {},
): QuoteDrawing {
  const items = Array.from({ length: count }, (_, n) => ({
    productName: `Silla ejecutiva con descansabrazos, modelo ${n + 1}`,
    model: `SE-${200 + n}`,
    quantity: 1 + (n % 9),
    unitPrice: (1_850.5 + n).toFixed(2),
    discountPct: n % 5 === 0 ? '10.00' : '0.00',
  }));
  const currency = 'MXN';
  const totals = quoteTotals(items, { taxRate: '0.1600', shippingCost: '250.00', currency });
  return {
    paper: 'A4',
    quoteNumber: 12,
    version: 1,
    currency,
    createdAt: '2026-03-05T18:00:00.000Z',
    expiresAt: '2026-03-20T18:00:00.000Z',
    timeZone: 'America/Mexico_City',
    locale: 'es-MX',
    business: {
      companyName: 'Ferretería del Bajío',
      legalName: null,
      taxId: null,
      country: 'MX',
      email: 'ventas@ferrebajio.example',
      phone: '+52 442 123 4567',
      address: 'Av. Constituyentes 120, Querétaro',
    },
    seller: { name: 'Ana Peña', email: 'ana@ferrebajio.example' },
    client: {
      contactName: 'Jorge Núñez',
      companyName: 'Construcciones Núñez',
      email: 'jorge@nunez.example',
      phone: '442 987 6543',
      address: null,
      taxId: null,
      country: 'MX',
    },
    displayNumber: 'COT-12',
    title: null,
    reference: null,
    discount: null,
    deposit: null,
    terms: null,
    taxes: [
      {
        code: 'DEFAULT',
        name: 'IVA',
        kind: 'transfer',
        rate: '0.1600',
        base: moneyString(totals.subtotal, currency),
        amount: moneyString(totals.tax, currency),
      },
    ],
    lines: items.map((item, n) => ({ ...item, ...FIXED, amount: moneyString(totals.lines[n] ?? 0, currency) })),
    subtotal: moneyString(totals.subtotal, currency),
    taxRate: '0.1600',
    tax: moneyString(totals.tax, currency),
    shippingCost: '250.00',
    total: moneyString(totals.total, currency),
    notes: 'Entrega en 5 días hábiles.',
    attachments: [],
    watermark: false,
    branding: null,
    bankInfo: null,
    signature: null,
    ...more,
  };
}

const HASH = '3f'.repeat(32);

/** The parts of a quote that a plain one lacks. The amounts need not agree: they are drawn, not computed. */
export function richDrawing(count: number): QuoteDrawing {
  const plain = drawing(count);
  return {
    ...plain,
    title: 'Remodelación de oficinas',
    reference: 'OC-2041',
    discount: { percent: '5.00', before: plain.subtotal, amount: '100.00' },
    deposit: { percent: '50.00', amount: '1000.00', note: 'Al firmar' },
    terms: '50 % de anticipo, resto contra entrega. Garantía de un año en todas las piezas.',
    lines: plain.lines.map((line, n) => ({
      ...line,
      description: 'Respaldo de malla, altura ajustable, base de aluminio pulido.',
      section: n < count / 2 ? 'Mobiliario' : 'Instalación',
      unit: 'm²',
      ...(n === count - 1 && { optional: true, counts: false }),
    })),
  };
}

/** The same quote with its signature and the page of its evidence. */
export function signedDrawing(count: number): QuoteDrawing {
  return {
    ...drawing(count),
    signature: {
      type: 'typed',
      data: null,
      signerName: 'Jorge Núñez',
      signerEmail: 'jorge@nunez.example',
      signedAt: '2026-03-06T18:00:00.000Z',
      certificate: {
        signatureId: 'csignature0000000000000',
        quoteId: 'cquote00000000000000000',
        consentText: 'Al firmar acepto la cotización COT-12 de Ferretería del Bajío con sus precios y condiciones.',
        ip: '203.0.113.7',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36',
        snapshotSha256: HASH,
        shownPdfSha256: HASH,
      },
    },
  };
}

export const html = (what: QuoteDrawing): string => `<!doctype html><meta charset="utf-8"><style>
body { font: 9pt Helvetica, Arial, sans-serif; color: #1f2933 } h1 { font-size: 21pt } table { width: 100%; border-collapse: collapse }
td, th { border-bottom: .5pt solid #d6dce2; padding: 4pt; text-align: right } td:first-child, th:first-child { text-align: left }
</style><strong>${what.business.companyName}</strong><p>${what.business.address ?? ''}<br>${what.business.phone ?? ''} ${what.business.email ?? ''}</p>
<h1>COT-${what.quoteNumber}</h1><p>${what.client.contactName}<br>${what.client.companyName ?? ''}<br>${what.client.email ?? ''}</p>
<table><thead><tr><th>Producto<th>Cantidad<th>Precio<th>Desc.<th>Importe</thead>
${what.lines.map((line) => `<tr><td>${line.productName}<br>${line.model ?? ''}<td>${line.quantity}<td>${line.unitPrice}<td>${line.discountPct}<td>${line.amount}`).join('\n')}
</table><p>Subtotal ${what.subtotal}<br>IVA ${what.tax}<br><strong>Total ${what.total}</strong></p><p>${what.notes}</p>`;
