import { QuoteMessage } from '../../db/models/quote-message.ts';
import { eventQuote } from '../../db/reads/full-quote.ts';
import { memberOrOwners, notify, ownersAnd } from '../../db/writes/notify.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import { writeMessage } from '../../db/writes/write-message.ts';
import { quotePayload } from '../../domain/events.ts';
import { dayBegins } from '../../domain/messages.ts';
import { assertMayRequestChanges } from '../../domain/portal.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import type { Deps } from '../deps.ts';
import { type DecisionSource, portalActor } from './actor.ts';
import { withPortalQuote } from './find.ts';
import type { RequestChanges } from './schema.ts';

const EXCERPT_LENGTH = 200;

/**
 * Records that the client wants changes to the version that was shown: the status stays, the creator is notified and gets a
 * mail. The same request again on the same day has no second effect.
 */
export function requestChanges(
  deps: Deps,
  { token, body, source }: { token: string; body: RequestChanges; source: DecisionSource },
): Promise<{ id: string }> {
  return withPortalQuote(
    deps,
    token,
    async (trx, { quote, tenant }) => {
      const { tenantId, id: quoteId, version, quoteNumber, userId } = quote;
      const now = deps.now();
      assertMayRequestChanges(quote, body.version, now);
      const request = { body: body.message, authorName: body.name || null, authorEmail: body.email || null };
      const repeated = await QuoteMessage.query(trx)
        .findOne({ tenantId, quoteId, version, direction: 'inbound', ...request })
        .where('createdAt', '>=', dayBegins(now, tenant.timeZone));
      if (repeated) return { id: repeated.id };

      const { requestId } = source;
      const { id } = await writeMessage(
        trx,
        { quoteId, direction: 'inbound', userId: null, ...request, version, createdAt: now },
        { kind: 'change_request', userIds: await memberOrOwners(trx, userId), requestId },
      );
      await recordEvent(trx, {
        type: 'quote.changes_requested',
        quoteId,
        data: {
          quote: quotePayload(eventQuote(quote)),
          request: { id, message: request.body, name: request.authorName, email: request.authorEmail, version },
        },
        requestId,
      });
      await notify(trx, await ownersAnd(trx, userId), {
        type: 'quote_changes_requested',
        title: 'El cliente pidió cambios',
        body: `${displayNumber(quote)} · ${excerptOf(request.body)}`,
        metadata: { quoteId, quoteNumber, messageId: id },
        about: `changes.${id}`,
      });
      await recordAudit(trx, portalActor(tenantId, source), {
        action: 'changes_requested',
        entity: 'quote',
        entityId: quoteId,
        metadata: { quoteNumber, version, messageId: id },
      });
      return { id };
    },
    { lock: true },
  );
}

function excerptOf(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' '));
  return characters.length > EXCERPT_LENGTH ? `${characters.slice(0, EXCERPT_LENGTH).join('')}…` : characters.join('');
}
