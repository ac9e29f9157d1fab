import { newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import type { Client } from '../../db/models/client.ts';
import { quoteFacts, readFullQuote } from '../../db/reads/quote-facts.ts';
import { allocateQuoteNumber } from '../../db/writes/allocate-quote-number.ts';
import { completeOnboardingStep } from '../../db/writes/complete-onboarding-step.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { quoteNotFound } from '../../domain/errors.ts';
import { quotePayload } from '../../domain/events.ts';
import { decimalString } from '../../domain/money.ts';
import type { Deps } from '../deps.ts';
import { newPublicToken } from './link.ts';
import { insertLines } from './lines.ts';
import { createdQuote } from './present.ts';
import type { PricedQuote } from './pricing.ts';

/** All that a new quote is made of, checked; its number and token come here. */
export interface NewQuote {
  readonly client: Client;
  readonly priced: PricedQuote;
  readonly currency: string;
  readonly taxRate: string;
  readonly notes: string;
  readonly expiresAt: Date;
  /** How the audit log tells it, and what it says beside number, total, currency and client. */
  readonly audit: { readonly action: 'create' | 'duplicate'; readonly metadata?: object };
}

/** Writes a new quote with lines, onboarding step, audit entry and event, and answers it as POST does. */
export async function insertQuote(
  { secrets }: Pick<Deps, 'secrets'>,
  trx: TenantTransaction,
  caller: Caller,
  quote: NewQuote,
) {
  const { tenantId } = caller;
  const { client, priced, audit } = quote;
  const publicToken = newToken();
  const quoteId = newId();
  await completeOnboardingStep(trx, tenantId, 'first_quote');

  // Late, for its row stays locked until the commit.
  const quoteNumber = await allocateQuoteNumber(trx);
  await trx('quotes').insert({
    id: quoteId,
    tenantId,
    quoteNumber,
    clientId: client.id,
    clientContactName: client.contactName,
    clientCompanyName: client.companyName,
    userId: caller.userId,
    currency: quote.currency,
    taxRate: decimalString(quote.taxRate),
    ...priced.amounts,
    notes: quote.notes,
    expiresAt: quote.expiresAt,
    ...newPublicToken(secrets, quoteId, publicToken),
  });
  await insertLines(trx, { tenantId, quoteId }, priced);

  const full = await readFullQuote(trx, quoteId);
  if (!full) throw quoteNotFound();
  await recordAudit(trx, memberActor(caller), {
    action: audit.action,
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber, total: full.total, currency: full.currency, clientId: client.id, ...audit.metadata },
  });
  await recordEvent(trx, {
    type: 'quote.created',
    quoteId,
    data: { quote: quotePayload(quoteFacts(full)) },
    requestId: caller.requestId,
  });
  return createdQuote(full, publicToken);
}
