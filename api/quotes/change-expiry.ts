import { Quote } from '../../db/models/quote.ts';
import { type FullQuote, eventQuote, readFullQuote } from '../../db/reads/full-quote.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { invalidInput, quoteIsFinal, quoteNotFound } from '../../domain/errors.ts';
import { quotePayload } from '../../domain/events.ts';
import { isFinal } from '../../domain/quote-status.ts';
import type { IfMatch } from '../entity-tag.ts';
import type { PresentContext } from './present.ts';
import { lockVisibleQuote } from './queries.ts';
import { chosenExpiry, type Validity } from './quote-rules.ts';
import { assertMatches } from './tag.ts';

/** Changes the expiry of an open quote, which can reopen an expired one. The version is unchanged. */
export async function changeExpiry(
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, validity, ifMatch }: { quoteId: string; validity: Validity; ifMatch: IfMatch | undefined },
  context: PresentContext,
): Promise<FullQuote> {
  const { tenantId } = caller;
  const moved = chosenExpiry(validity, context);
  if (!moved) {
    throw invalidInput([
      { path: 'expiresAt', message: 'es obligatorio' },
      { path: 'validUntil', message: 'es obligatorio si no se envía expiresAt' },
    ]);
  }
  const before = await lockVisibleQuote(trx, caller, quoteId);
  await assertMatches(trx, before, { ifMatch, context });
  // spec gap: the response for a final quote. The same refusal as for a revision, since both would reopen it.
  if (isFinal(before.status)) throw quoteIsFinal(before.status);

  await Quote.query(trx).findOne({ tenantId, id: quoteId }).patch({ expiresAt: moved, updatedAt: new Date() });
  const after = await readFullQuote(trx, quoteId);
  if (!after) throw quoteNotFound();
  await recordAudit(trx, memberActor(caller), {
    action: 'update',
    entity: 'quote',
    entityId: quoteId,
    metadata: {
      quoteNumber: after.quoteNumber,
      before: { expiresAt: before.expiresAt.toISOString() },
      after: { expiresAt: after.expiresAt.toISOString() },
    },
  });
  // `quote.revised` although the version is unchanged: on it the lifecycle reads the quote again and reschedules its
  // reminders. Nothing else reacts to it, and webhooks cannot subscribe to it.
  await recordEvent(trx, {
    type: 'quote.revised',
    quoteId,
    data: { quote: quotePayload(eventQuote(after)) },
    requestId: caller.requestId,
  });
  return after;
}
