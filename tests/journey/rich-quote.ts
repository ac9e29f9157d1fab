import type { ExactLine, ExactTerms } from '../domain/exact-quote.ts';

/** One quote that has every optional feature, and its amounts, computed by hand from exact fractions. */

export const SETTINGS = { numberFormat: 'F/{year}-{number:4}', timeZone: 'America/Mexico_City' } as const;

/** Of several pages. */
const TERMS = Array.from({ length: 90 }, (_, index) => `${index + 1}. Los trabajos se realizan en horario hábil.`).join(
  '\n',
);

export const INTERNAL_NOTES = 'Margen secreto del 31 %';
export const METADATA = { pedido: 'SAP-77801', canal: 'feria' } as const;

const ITEMS = [
  {
    productName: 'Muro de tablaroca',
    model: 'TR-12',
    description: 'Panel de 12.7 mm por ambas caras, con aislante y resane.',
    section: 'Obra',
    unit: 'm²',
    quantity: 12.3456,
    unitPrice: 385.5,
    discountPct: 7.5,
    taxes: ['IVA16'],
  },
  { productName: 'Maniobras en frontera', section: 'Obra', quantity: 3, unitPrice: 149.99, taxes: ['IVA8'] },
  { productName: 'Agua purificada', section: 'Suministros', unit: 'L', quantity: 0.5, unitPrice: 30.25, taxes: ['IVA0'] },
  { productName: 'Manuales técnicos', section: 'Suministros', quantity: 2, unitPrice: 250, discountPct: 12.5, taxes: ['EXENTO'] },
  { productName: 'Proyecto ejecutivo', section: 'Honorarios', quantity: 1, unitPrice: 10_000.01, taxes: ['IVA16', 'RET_ISR10', 'RET_IVA'] },
  { productName: 'Piso de mármol', quantity: 1, unitPrice: 900, taxes: ['IVA16'], optional: true },
  { productName: 'Garantía extendida', quantity: 1, unitPrice: 333.33, taxes: ['IVA16'], optional: true, selected: true },
  { productName: 'Barniz mate', quantity: 1, unitPrice: 120, taxes: [], choice: 'Acabado' },
  { productName: 'Barniz brillante', quantity: 1, unitPrice: 180, taxes: [], choice: 'Acabado', selected: true },
]; // prettier-ignore

export const RICH = {
  items: ITEMS,
  notes: 'Precios en moneda nacional.',
  shippingCost: 250.5,
  shippingTaxes: ['IVA16'],
  discountPct: 4.25,
  deposit: { type: 'percent', value: 30, note: 'Para iniciar la obra' },
  title: 'Remodelación de oficinas',
  reference: 'OC-2041',
  terms: TERMS,
  internalNotes: INTERNAL_NOTES,
  metadata: METADATA,
} as const;

/** Per line: amount after both discounts, amount before that of the document, and whether it counts. */
export const LINES = [
  ['4215.19', '4402.29', true],
  ['430.85', '449.97', true],
  ['14.48', '15.13', true],
  ['418.91', '437.50', true],
  ['9575.01', '10000.01', true],
  ['861.75', '900.00', false],
  ['319.16', '333.33', true],
  ['114.90', '120.00', false],
  ['172.35', '180.00', true],
] as const;

export const SUMS = {
  subtotal: '15145.95',
  /** Of lines and document. */
  discount: '1091.72',
  tax: '353.21',
  shippingCost: '250.50',
  total: '15749.66',
} as const;

export const DEPOSIT = '4724.90';

/** Code, kind, rate, base and amount. The base of IVA 16 % has the shipping. */
export const TAXES = [
  ['IVA16', 'transfer', '0.16', '14359.86', '2297.58'],
  ['IVA8', 'transfer', '0.08', '430.85', '34.47'],
  ['IVA0', 'transfer', '0.00', '14.48', '0.00'],
  ['EXENTO', 'exempt', '0.00', '418.91', '0.00'],
  ['RET_ISR10', 'withholding', '0.10', '9575.01', '957.50'],
  ['RET_IVA', 'withholding', '0.106667', '9575.01', '1021.34'],
] as const;

/** What the client reads of sums, in the order of the document; lines and sections are before the document's discount. */
export const PRINTED = [
  'Subtotal de Obra $4,852.26',
  'Subtotal de Suministros $452.63',
  'Subtotal de Honorarios $10,000.01',
  'Suma de las partidas $15,818.23',
  'Descuento (4.25 %) -$672.28',
  'Subtotal $15,145.95',
  'IVA 16 % $2,297.58',
  'IVA 8 % $34.47',
  'IVA 0 % $0.00',
  'Exento de IVA $0.00',
  'Retención de ISR 10 % -$957.50',
  'Retención de IVA (10.6667 %) -$1,021.34',
  'Envío $250.50',
  'Total $15,749.66 MXN',
] as const;

/** The same quote for the oracle of exact fractions. */
export const EXACT_LINES: readonly ExactLine[] = ITEMS.map((item) => ({
  unitPrice: String(item.unitPrice),
  quantity: String(item.quantity),
  discountPct: String(item.discountPct ?? 0),
  taxes: item.taxes,
  optional: item.optional ?? false,
  choice: item.choice ?? null,
  selected: item.selected ?? false,
}));

export const EXACT_TERMS: ExactTerms = {
  taxRate: '0.16',
  taxes: TAXES.map(([code, kind, rate]) => ({ code, kind, rate })),
  shippingCost: '250.50',
  shippingTaxes: ['IVA16'],
  discountPct: '4.25',
  places: 2,
};

/** Of the optional lines and alternatives, the client wants the marble floor and the other varnish, and no warranty. */
export const WANTED = ['Piso de mármol', 'Barniz mate'];

/** For the oracle: every other member is as the seller offered it. */
export const EXACT_SELECTION: readonly ExactLine[] = EXACT_LINES.map((line, index) => ({
  ...line,
  selected: WANTED.includes(ITEMS[index]?.productName ?? ''),
}));

/** Before tax, 861.75 and 114.90 are added to those of the first version, and 319.16 and 172.35 are gone. */
export const SELECTED_SUMS = {
  subtotal: '15631.09',
  discount: '1113.25',
  tax: '440.02',
  shippingCost: '250.50',
  total: '16321.61',
} as const;

export const SELECTED_DEPOSIT = '4896.48';
