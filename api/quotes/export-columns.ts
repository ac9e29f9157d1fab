import type { ListedQuote } from './queries.ts';
import { displayNumber } from '../../domain/quote-number.ts';

/** A column of the exports, in the order of the files: its header, and what it holds. */
export type ExportColumn = {
  readonly header: string;
  /** In characters, for spreadsheets. */
  readonly width: number;
} & (
  | { readonly kind: 'text'; readonly of: (row: ListedQuote) => string | null }
  | { readonly kind: 'integer'; readonly of: (row: ListedQuote) => number }
  /** In the quote's currency. */
  | { readonly kind: 'money'; readonly of: (row: ListedQuote) => string }
  | { readonly kind: 'moment'; readonly of: (row: ListedQuote) => Date }
  /** The day of a moment, in the business's time zone. */
  | { readonly kind: 'day'; readonly of: (row: ListedQuote) => Date }
);

export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  { header: 'Número', width: 9, kind: 'integer', of: (row) => row.quoteNumber },
  { header: 'Estado', width: 12, kind: 'text', of: (row) => row.status },
  { header: 'Versión', width: 8, kind: 'integer', of: (row) => row.version },
  { header: 'Contacto', width: 24, kind: 'text', of: (row) => row.contactName },
  { header: 'Empresa', width: 28, kind: 'text', of: (row) => row.companyName },
  { header: 'Correo', width: 28, kind: 'text', of: (row) => row.email },
  { header: 'Teléfono', width: 16, kind: 'text', of: (row) => row.phone },
  { header: 'Vendedor', width: 20, kind: 'text', of: (row) => row.userName },
  { header: 'Moneda', width: 8, kind: 'text', of: (row) => row.currency },
  { header: 'Subtotal', width: 14, kind: 'money', of: (row) => row.subtotal },
  { header: 'Impuesto', width: 14, kind: 'money', of: (row) => row.tax },
  { header: 'Envío', width: 12, kind: 'money', of: (row) => row.shippingCost },
  { header: 'Total', width: 14, kind: 'money', of: (row) => row.total },
  { header: 'Partidas', width: 9, kind: 'integer', of: (row) => row.itemCount },
  { header: 'Notas', width: 40, kind: 'text', of: (row) => row.notes },
  { header: 'Creada', width: 17, kind: 'moment', of: (row) => row.createdAt },
  { header: 'Vence', width: 17, kind: 'moment', of: (row) => row.expiresAt },
  { header: 'Vigente hasta', width: 13, kind: 'day', of: (row) => row.expiresAt },
  { header: 'Número visible', width: 16, kind: 'text', of: displayNumber },
  { header: 'Título', width: 28, kind: 'text', of: (row) => row.title },
  { header: 'Referencia', width: 18, kind: 'text', of: (row) => row.reference },
  { header: 'Descuento', width: 12, kind: 'money', of: (row) => row.discount },
];
