import { newToken } from '../../adapters/crypto/tokens.ts';
import { asOne, type NamedStatement, sendWithCommit } from '../../db/at-once.ts';
import { newId } from '../../db/ids.ts';
import type { Quote } from '../../db/models/quote.ts';
import { completeOnboardingStep } from '../../db/writes/complete-onboarding-step.ts';
import { auditEntry } from '../../db/writes/record-audit.ts';
import { outboxEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { quotePayload } from '../../domain/events.ts';
import { decimalString, moneyString } from '../../domain/money.ts';
import type { TimeZone } from '../../domain/zone.ts';
import type { Deps } from '../deps.ts';
import { newPublicToken } from './public-link.ts';
import { storedLines } from './lines.ts';
import { createdQuote } from './present.ts';
import type { PricedQuote } from './pricing.ts';
import type { ClientOfQuote, QuoteStart } from './load-create-context.ts';

/** The validated data of a new quote. */
export interface NewQuote {
  readonly start: QuoteStart;
  readonly client: ClientOfQuote;
  readonly priced: PricedQuote;
  readonly currency: string;
  readonly taxRate: string;
  readonly notes: string;
  /** The time of creation, from which the expiry is computed. */
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly timeZone: TimeZone;
  /** The audited action, and metadata besides number, total, currency and client. */
  readonly audit: { readonly action: 'create' | 'duplicate'; readonly metadata?: object };
}

/**
 * Inserts a quote with lines, onboarding step, audit entry and event, and returns the response of POST. The rows are
 * sent with the commit, to shorten the lock on the business's counter, so no later statement of the transaction sees
 * them.
 */
export async function insertQuote(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  caller: Caller,
  { client, priced, audit, start, ...terms }: NewQuote,
) {
  const { tenantId } = caller;
  const publicToken = newToken();
  const quoteId = newId();
  const { isStepDone, quoteNumber, products } = start;
  const { createdAt, timeZone } = terms;
  if (!isStepDone) await completeOnboardingStep(trx, tenantId, 'first_quote');
  const lines = priced.items.map((item) => ({ id: newId(), ...item }));
  const quote = {
    id: quoteId,
    quoteNumber,
    status: 'GENERATED',
    version: 1,
    viewCount: 0,
    createdAt,
    currency: terms.currency,
    taxRate: decimalString(terms.taxRate),
    ...priced.amounts,
    notes: terms.notes,
    expiresAt: terms.expiresAt,
    client,
    items: lines.map((line) => ({ ...line, product: products.get(line.productId) ?? null })),
  } as const;
  const { total, currency } = quote;

  const rows = [
    quoteRow(caller, quote, newPublicToken(secrets, quoteId, publicToken)),
    storedLines({ tenantId, quoteId }, lines),
    auditEntry(memberActor(caller), {
      action: audit.action,
      entity: 'quote',
      entityId: quoteId,
      metadata: { quoteNumber, total: moneyString(total, currency), currency, clientId: client.id, ...audit.metadata },
    }),
    outboxEvent(trx, {
      type: 'quote.created',
      quoteId,
      data: { quote: quotePayload(quote) },
      requestId: caller.requestId,
    }),
  ];
  sendWithCommit(trx, [asOne('insert-quote-whole', rows)]);
  return createdQuote(quote, publicToken, { timeZone, now: createdAt });
}

type QuoteRow = Pick<Quote, 'id' | 'quoteNumber' | 'currency' | 'taxRate' | 'notes' | 'createdAt' | 'expiresAt'> &
  PricedQuote['amounts'] & { readonly client: Pick<ClientOfQuote, 'id' | 'contactName' | 'companyName'> };

const quoteRow = (
  { tenantId, userId }: Caller,
  quote: QuoteRow,
  { publicTokenHash, publicTokenSealed }: ReturnType<typeof newPublicToken>,
): NamedStatement => ({
  name: 'insert-quote',
  text: `insert into quotes (id, tenant_id, quote_number, client_id, client_contact_name, client_company_name, user_id, currency,
      tax_rate, subtotal, tax, shipping_cost, total, notes, expires_at, public_token_hash, public_token_sealed, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)`,
  values: [
    quote.id,
    tenantId,
    quote.quoteNumber,
    quote.client.id,
    quote.client.contactName,
    quote.client.companyName,
    userId,
    quote.currency,
    quote.taxRate,
    quote.subtotal,
    quote.tax,
    quote.shippingCost,
    quote.total,
    quote.notes,
    quote.expiresAt,
    publicTokenHash,
    publicTokenSealed,
    quote.createdAt,
  ],
});
