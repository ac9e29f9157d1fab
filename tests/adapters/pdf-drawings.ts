import { moneyString } from '../../domain/money.ts';
import { quoteTotals } from '../../domain/quote-totals.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';

type Line = QuoteDrawing['lines'][number];

/** Members of a line that only has the specified ones. */
export const FIXED = {
  description: null,
  section: null,
  unit: null,
  optional: false,
  choice: null,
  counts: true,
} as const;

/** Members of a document that only has the specified ones. */
export const PLAIN = {
  displayNumber: 'COT-12',
  title: null,
  reference: null,
  discount: null,
  deposit: null,
  terms: null,
} as const;

/** The default tax as a drawing shows it. */
export const defaultTaxOf = (rate: string, { base, amount }: { base: string; amount: string }) => [
  { code: 'DEFAULT', name: 'IVA', kind: 'transfer' as const, rate, base, amount },
];

export const line = (productName: string, more: Partial<Omit<Line, 'productName' | 'amount'>> = {}) => ({
  productName,
  model: null,
  quantity: 1,
  unitPrice: '10.00',
  discountPct: '0.00',
  ...FIXED,
  ...more,
});

/** Optional members of businesses and clients, all empty. */
export const UNTAXED = { legalName: null, taxId: null, country: 'MX', address: null } as const;

/** A drawing of a quote with consistent amounts. */
export function drawingOf(
  lines: readonly ReturnType<typeof line>[],
  more: Partial<Omit<QuoteDrawing, 'lines' | 'subtotal' | 'tax' | 'total'>> = {},
): QuoteDrawing {
  const { currency = 'MXN', taxRate = '0.1600', shippingCost = '0.00' } = more;
  const totals = quoteTotals(lines, { taxRate, shippingCost, currency });
  const subtotal = moneyString(totals.subtotal, currency);
  const tax = moneyString(totals.tax, currency);
  return {
    ...PLAIN,
    taxes: defaultTaxOf(taxRate, { base: subtotal, amount: tax }),
    paper: 'A4',
    quoteNumber: 12,
    version: 1,
    createdAt: '2026-03-05T18:00:00.000Z',
    expiresAt: '2026-03-21T05:59:59.999Z',
    timeZone: 'America/Mexico_City',
    locale: 'es-MX',
    business: {
      ...UNTAXED,
      companyName: 'Ferretería del Bajío',
      email: 'ventas@ferrebajio.example',
      phone: '+52 442 123 4567',
      address: 'Av. Constituyentes 120, Querétaro',
    },
    seller: { name: 'Ana Peña', email: 'ana@ferrebajio.example' },
    client: {
      ...UNTAXED,
      contactName: 'Jorge Núñez',
      companyName: 'Construcciones Núñez',
      email: 'jorge@nunez.example',
      phone: '442 987 6543',
    },
    notes: '',
    attachments: [],
    watermark: false,
    branding: null,
    bankInfo: null,
    signature: null,
    ...more,
    currency,
    taxRate,
    shippingCost,
    lines: lines.map((item, index) => ({ ...item, amount: moneyString(totals.lines[index] ?? 0, currency) })),
    subtotal,
    tax,
    total: moneyString(totals.total, currency),
  };
}
