import { exactQuote } from '../../domain/exact-money.ts';

/**
 * A model of quotes as simple as possible and without code of the service: three businesses with two members each, and
 * the response and effect of every command.
 */

export type Role = 'owner' | 'collaborator';
export type Status = 'GENERATED' | 'SENT' | 'WON' | 'LOST' | 'ACCEPTED' | 'REJECTED';

/** The caller: a member of the business with that index. */
export interface Who {
  readonly tenant: number;
  readonly role: Role;
}

export interface Line {
  readonly unitPrice: string;
  readonly quantity: number;
  readonly discountPct: string;
}

export interface ModelQuote {
  readonly tenant: number;
  /** From 1 in each run. */
  readonly number: number;
  readonly creator: Role;
  readonly status: Status;
  readonly version: number;
  readonly lines: readonly Line[];
  readonly client: number;
  readonly lapsed: boolean;
  readonly labels: readonly number[];
  /** Number of rotations of its link. */
  readonly link: number;
  /** Its events, in order. */
  readonly events: readonly string[];
  /** Its audit entries. */
  readonly entries: readonly string[];
}

interface ModelTenant {
  readonly taxRate: string;
  readonly quotes: number;
  readonly activeClients: readonly boolean[];
  readonly hasTemplate: boolean;
}

export interface Model {
  readonly tenants: readonly ModelTenant[];
  readonly quotes: readonly ModelQuote[];
}

export const TAX_RATES = ['0.16', '0.08', '0'] as const;
/** The lines of the template of each business. */
export const TEMPLATE_LINES: readonly Line[] = [{ unitPrice: '19.99', quantity: 3, discountPct: '12.5' }];
export const CLIENTS = [0, 1] as const;

export const emptyModel = (): Model => ({
  tenants: TAX_RATES.map((taxRate) => ({ taxRate, quotes: 0, activeClients: [true, true], hasTemplate: true })),
  quotes: [],
});

/** Identifies a quote in the model and in the service. */
export interface QuoteKey {
  readonly tenant: number;
  readonly number: number;
}

/** A concrete request, or a change of time. */
export type Command =
  | { readonly kind: 'create'; readonly by: Who; readonly client: number; readonly lines: readonly Line[] }
  | { readonly kind: 'createFromTemplate'; readonly by: Who; readonly client: number }
  | { readonly kind: 'deleteTemplate'; readonly by: Who }
  | { readonly kind: 'setClient'; readonly by: Who; readonly client: number; readonly active: boolean }
  | { readonly kind: 'list'; readonly by: Who }
  | { readonly kind: 'read'; readonly by: Who; readonly quote: QuoteKey }
  | { readonly kind: 'duplicate'; readonly by: Who; readonly quote: QuoteKey }
  | { readonly kind: 'rotateLink'; readonly by: Who; readonly quote: QuoteKey }
  | { readonly kind: 'move'; readonly by: Who; readonly quote: QuoteKey; readonly to: Status }
  | {
      readonly kind: 'revise';
      readonly by: Who;
      readonly quote: QuoteKey;
      readonly client: number;
      readonly lines: readonly Line[];
    }
  | { readonly kind: 'setExpiry'; readonly by: Who; readonly quote: QuoteKey; readonly past: boolean }
  | {
      readonly kind: 'label';
      readonly by: Who;
      readonly quote: QuoteKey;
      readonly label: number;
      readonly put: boolean;
    }
  /** By the client, with the link after that number of rotations. */
  | { readonly kind: 'accept'; readonly quote: QuoteKey; readonly link: number; readonly version: number }
  | { readonly kind: 'reject'; readonly quote: QuoteKey; readonly link: number }
  /** The quote expires. */
  | { readonly kind: 'lapse'; readonly quote: QuoteKey };

/** A status code and the predictable part of the body: the message of a refusal, or shown data. */
export interface ModelResponse {
  readonly status: number;
  readonly said: unknown;
}

export const isOf =
  ({ tenant, number }: QuoteKey) =>
  (quote: QuoteKey): boolean =>
    quote.tenant === tenant && quote.number === number;

/** A quote in a response of POST. */
export function shown(model: Model, { tenant, number, status, version, lines, client, lapsed }: ModelQuote) {
  const taxRate = model.tenants[tenant]?.taxRate ?? '';
  const amounts = exactQuote(lines, { taxRate, shippingCost: '0', places: 2 });
  return {
    number,
    status,
    version,
    total: Number(amounts.total),
    lines: amounts.lines.map(Number),
    client,
    // Decided quotes do not expire.
    lapsed: lapsed && (status === 'GENERATED' || status === 'SENT'),
  };
}

/** A quote in a response of GET. */
export const read = (model: Model, quote: ModelQuote) => ({ ...shown(model, quote), labels: quote.labels });
