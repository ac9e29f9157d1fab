import sql, { type Sql } from 'sql-template-tag';
import { newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import type { Quote } from '../../db/models/quote.ts';
import { named, type NamedStatement, type Sender } from '../../db/pipeline.ts';
import { onboardingStepDone } from '../../db/writes/complete-onboarding-step.ts';
import { auditEntry } from '../../db/writes/record-audit.ts';
import { outboxEvent } from '../../db/writes/record-event.ts';
import { UNANSWERED } from '../../domain/answer.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { quotePayload } from '../../domain/events.ts';
import { metadataRows } from '../../db/writes/quote-metadata.ts';
import { decimalString, moneyString } from '../../domain/money.ts';
import { displayNumberOf } from '../../domain/quote-number.ts';
import type { TimeZone } from '../../domain/zone.ts';
import type { Deps } from '../deps.ts';
import { type Tagged, tagged } from '../entity-tag.ts';
import { documentColumns, type DocumentFields } from './document-fields.ts';
import { newPublicToken } from './public-link.ts';
import { storedLines } from './lines.ts';
import type { ClientOfQuote, CreateContext } from './load-create-context.ts';
import { createdQuote } from './present.ts';
import type { PricedQuote } from './pricing.ts';
import { quoteTag } from './tag.ts';

/** The default of the column. */
const FIRST_REVISION = 1;

/** The validated data of a new quote. */
export interface NewQuote {
  readonly context: CreateContext;
  readonly client: ClientOfQuote;
  readonly priced: PricedQuote;
  readonly currency: string;
  readonly taxRate: string;
  readonly notes: string;
  readonly fields: DocumentFields;
  /** The time of creation, from which the expiry is computed. */
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly timeZone: TimeZone;
  /** The audited action, and metadata besides number, total, currency and client. */
  readonly audit: { readonly action: 'create' | 'duplicate'; readonly metadata?: object };
}

/** The result of the POST, and the statements that write the quote. A pipelined transaction sends them with its commit. */
export interface QuoteInsertion extends Tagged<ReturnType<typeof createdQuote>> {
  readonly statements: readonly NamedStatement[];
}

/** The statements that write a new quote with lines, onboarding step, audit entry and event. */
export function quoteInsertion(
  { secrets }: Pick<Deps, 'secrets'>,
  tx: Sender,
  caller: Caller,
  { client, priced, audit, context, fields, ...terms }: NewQuote,
): QuoteInsertion {
  const { tenantId } = caller;
  const publicToken = newToken();
  const quoteId = newId();
  const { isStepDone, quoteNumber, products } = context;
  if (quoteNumber === null) throw new Error('the tenant has no quote counter');
  const { createdAt, timeZone } = terms;
  const lines = priced.items.map((item) => ({ id: newId(), ...item }));
  const quote = {
    id: quoteId,
    quoteNumber,
    displayNumber: displayNumberOf(context.tenant.numberFormat, { quoteNumber, createdAt, timeZone }),
    status: 'GENERATED',
    version: 1,
    viewCount: 0,
    createdAt,
    currency: terms.currency,
    taxRate: decimalString(terms.taxRate),
    ...priced.amounts,
    notes: terms.notes,
    ...documentColumns(fields),
    expiresAt: terms.expiresAt,
    ...UNANSWERED,
    client,
    items: lines.map((line) => ({ product: products.get(line.productId) ?? null, ...line })),
  } as const;
  const { total, currency } = quote;

  const entry = auditEntry(memberActor(caller), {
    action: audit.action,
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber, total: moneyString(total, currency), currency, clientId: client.id, ...audit.metadata },
  });
  const event = outboxEvent(tx, {
    type: 'quote.created',
    quoteId,
    data: { quote: quotePayload(quote) },
    requestId: caller.requestId,
  });
  // One statement costs less than four; none of its parts sees what another wrote.
  const rows = named(
    'insert-quote',
    sql`with quote as (${quoteRow(caller, quote, newPublicToken(secrets, quoteId, publicToken))}),
      lines as (${storedLines({ tenantId, quoteId }, lines)}), audit as (${entry}), event as (${event}) select`,
  );
  const body = createdQuote(quote, publicToken, { timeZone, now: createdAt });
  const foreign = { ...body, user: { name: caller.name, email: caller.email }, labels: [] };
  return {
    ...tagged(body, quoteTag(FIRST_REVISION, foreign)),
    statements: [
      ...(isStepDone ? [] : [onboardingStepDone(tenantId, 'first_quote')]),
      { wakesDispatcher: true, ...rows },
      ...metadataRows({ tenantId, quoteId }, fields.metadata),
    ],
  };
}

type QuoteToInsert = Pick<
  Quote,
  | 'id'
  | 'quoteNumber'
  | 'displayNumber'
  | 'currency'
  | 'taxRate'
  | 'notes'
  | 'createdAt'
  | 'expiresAt'
  | keyof DocumentFields
> &
  PricedQuote['amounts'] & { readonly client: Pick<ClientOfQuote, 'id' | 'contactName' | 'companyName'> };

const quoteRow = (
  { tenantId, userId }: Caller,
  quote: QuoteToInsert,
  { publicTokenHash, publicTokenSealed }: ReturnType<typeof newPublicToken>,
): Sql =>
  sql`insert into quotes (id, tenant_id, quote_number, client_id, client_contact_name, client_company_name, user_id, currency,
      tax_rate, subtotal, tax, shipping_cost, total, notes, expires_at, public_token_hash, public_token_sealed, created_at,
      updated_at, display_number, discount_pct, discount, taxes, shipping_taxes, title, reference, terms, internal_notes, deposit,
      metadata)
    values (${quote.id}, ${tenantId}, ${quote.quoteNumber}, ${quote.client.id}, ${quote.client.contactName},
      ${quote.client.companyName}, ${userId}, ${quote.currency}, ${quote.taxRate}, ${quote.subtotal}, ${quote.tax},
      ${quote.shippingCost}, ${quote.total}, ${quote.notes}, ${quote.expiresAt}, ${publicTokenHash}, ${publicTokenSealed},
      ${quote.createdAt}, ${quote.createdAt}, ${quote.displayNumber}, ${quote.discountPct}, ${quote.discount}, ${quote.taxes},
      ${quote.shippingTaxes}, ${quote.title}, ${quote.reference}, ${quote.terms}, ${quote.internalNotes}, ${quote.deposit},
      ${quote.metadata})`;
