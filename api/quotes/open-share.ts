import { asciiAddress } from '../../adapters/internet-address.ts';
import type { Client } from '../../db/models/client.ts';
import { QuoteShare } from '../../db/models/quote-share.ts';
import { countMail } from '../../db/writes/count-mail.ts';
import type { FullQuote } from '../../db/reads/full-quote.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { contactsOf } from '../../domain/contacts.ts';
import type { MailQuota } from '../../domain/mail-quota.ts';
import { featureNotInPlan, hasFeature } from '../../domain/plans.ts';
import { type Addressee, chooseRecipients, recipientCount, type ShareRecipients } from '../../domain/share.ts';
import type { IdempotentCall } from '../route.ts';
import type { ShareQuote } from './share-schema.ts';

/** Hours after which a share that never ended is not joined any more. */
const JOIN_HOURS = 24;

/** A share that a call joined, or started. */
export interface OpenShare {
  readonly shareId: string;
  /** Whether this call started it, and counted its mails. */
  readonly isNew: boolean;
  /** Whether it was sent while this call waited for the quote. */
  readonly isSent: boolean;
  readonly mails: number;
}

/** The recipients that a request names. On FREE they are the client's people, so that the service cannot be used for spam. */
export function recipientsOf(
  { plan }: Caller,
  client: Client,
  request: Pick<ShareQuote, 'to' | 'cc'>,
): ShareRecipients | undefined {
  const people: readonly Addressee[] = [
    { name: client.contactName, email: client.email },
    ...contactsOf(client).map(({ name, email }) => ({ name, email })),
  ];
  const chosen = chooseRecipients(request, people, asciiAddress);
  if (!chosen) return undefined;
  const { outsiders, ...recipients } = chosen;
  if (outsiders.length > 0 && !hasFeature(plan, 'share_with_anyone')) {
    const message = 'en el plan FREE solo se envía al cliente y a sus contactos';
    const details = (['to', 'cc'] as const).flatMap((list) =>
      (request[list] ?? []).flatMap((address, index) =>
        outsiders.includes(address) ? [{ path: `${list}.${index}`, message }] : [],
      ),
    );
    throw featureNotInPlan('share_with_anyone', details);
  }
  return recipients;
}

/**
 * Joins the share of the same content that is in progress, or was when the call arrived; or starts one. The quote's row is
 * locked, so that of concurrent calls one starts it.
 */
export async function openShare(
  trx: TenantTransaction,
  quote: FullQuote,
  {
    call,
    quota,
    recipients,
    message,
    arrivedAt,
  }: {
    call: IdempotentCall;
    quota: MailQuota;
    recipients: ShareRecipients | undefined;
    message: string | null;
    arrivedAt: Date;
  },
): Promise<OpenShare> {
  const { tenantId, id: quoteId, clientId } = quote;
  const mails = recipientCount(recipients);
  const own = call.isRepeated && (await QuoteShare.query(trx).findOne({ tenantId, id: call.id }));
  if (own) return { shareId: own.id, isNew: false, isSent: false, mails };

  const content = { clientId, recipients: recipients ? JSON.stringify(recipients) : null, message };
  const open = await QuoteShare.query(trx)
    .findOne({ tenantId, quoteId })
    .where(
      (ended) =>
        void ended
          .where('status', 'PENDING')
          .orWhere((sent) => void sent.where('status', 'SENT').where('closedAt', '>=', arrivedAt)),
    )
    .whereRaw('client_id = ? and recipients is not distinct from ?', [content.clientId, content.recipients])
    .whereRaw('message is not distinct from ?', [content.message])
    .whereRaw(`created_at > now() - make_interval(hours => ${JOIN_HOURS})`)
    .orderBy('createdAt', 'desc');
  if (open) {
    await call.join(trx, open.id);
    return { shareId: open.id, isNew: false, isSent: open.status === 'SENT', mails };
  }
  await countMail(trx, quota, mails);
  await QuoteShare.query(trx).insert({ id: call.id, tenantId, quoteId, ...content });
  return { shareId: call.id, isNew: true, isSent: false, mails };
}
