import type { FormState } from '../../forms/form-state.ts';

/** What the form of a quote shows. Its fields are named by the body of the API; see `LABELS`. */
export interface EditorView {
  readonly form: FormState;
  /** Where the form posts to; `${action}/totals` computes. */
  readonly action: string;
  /** The quote that is revised. */
  readonly revised: { readonly id: string; readonly displayNumber: string; readonly version: number } | undefined;
  readonly client: ChosenClient | undefined;
  readonly clients: FoundClients | undefined;
  readonly lines: LinesView;
  readonly totals: TotalsView;
  readonly taxes: readonly TaxOption[];
  /** Undefined on FREE, which has the currency of the business only. */
  readonly currencies: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly attachments: readonly { readonly id: string; readonly name: string }[];
}

export interface ChosenClient {
  readonly id: string;
  readonly contactName: string;
  readonly companyName: string | null;
  readonly email: string | null;
  /** The language of what the client receives; undefined for that of the business. */
  readonly language: string | undefined;
}

export interface FoundClients {
  readonly search: string;
  readonly found: readonly Omit<ChosenClient, 'language'>[];
}

export interface LinesView {
  readonly count: number;
  /** The rows that the page shows; the others are hidden fields. */
  readonly from: number;
  readonly until: number;
  readonly page: number;
  readonly pages: number;
  readonly catalogue: FoundProducts | undefined;
  /** The field that gets the focus. */
  readonly focus: string | undefined;
  /** A hint beside a line's price. */
  readonly priceHint: { readonly row: number; readonly text: string } | undefined;
}

export interface FoundProducts {
  readonly row: number;
  readonly search: string;
  readonly found: readonly {
    readonly id: string;
    readonly name: string;
    readonly modelSku: string | null;
    readonly price: string;
  }[];
}

export interface TotalsView {
  readonly currency: string;
  /** The rows above the total, as the client reads them. */
  readonly sums: readonly (readonly [label: string, amount: string])[];
  readonly total: string;
  readonly deposit: readonly string[];
  /** Why there is no total. */
  readonly problem: string | undefined;
  /** By row: what it costs, before the discount of the quote. */
  readonly amounts: ReadonlyMap<number, { readonly amount: string; readonly counts: boolean }>;
  /** "16 %", of the tax of lines that name none. */
  readonly defaultTax: string | undefined;
}

export interface TaxOption {
  readonly code: string;
  readonly name: string;
}

/** Lines on one page. */
export const LINES_ON_PAGE = 50;

/** The value of the box «Sin impuestos»: no code. */
export const UNTAXED = '-';

export const LABELS = {
  clientId: 'Cliente',
  clientSearch: 'Buscar cliente',
  'newClient.contactName': 'Nombre del contacto',
  'newClient.companyName': 'Empresa',
  'newClient.email': 'Correo electrónico',
  'newClient.phone': 'Teléfono',
  title: 'Título',
  reference: 'Referencia del cliente',
  currency: 'Moneda',
  validUntil: 'Vigente hasta',
  expiresAt: 'Vigente hasta',
  notes: 'Notas',
  terms: 'Condiciones',
  internalNotes: 'Notas internas',
  discountPct: 'Descuento (%)',
  shippingCost: 'Envío',
  shippingTaxes: 'Impuestos del envío',
  'shippingTaxes.*': 'Impuestos del envío',
  deposit: 'Anticipo',
  'deposit.type': 'Anticipo',
  'deposit.value': 'Cuánto',
  'deposit.note': 'Nota del anticipo',
  'metadataRows.*.name': 'Nombre',
  'metadataRows.*.value': 'Valor',
  items: 'Partidas',
  'items.*.productName': 'Concepto',
  'items.*.model': 'Modelo',
  'items.*.description': 'Descripción',
  'items.*.section': 'Sección',
  'items.*.unit': 'Unidad',
  'items.*.quantity': 'Cantidad',
  'items.*.unitPrice': 'Precio unitario',
  'items.*.discountPct': 'Descuento (%)',
  'items.*.taxes': 'Impuestos',
  'items.*.taxes.*': 'Impuestos',
  'items.*.optional': 'Opcional: el cliente decide si la incluye',
  'items.*.choice': 'Grupo de alternativas',
  'items.*.selected': 'Elegida de entrada',
} as const;
