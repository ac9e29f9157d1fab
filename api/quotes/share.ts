import { QuoteShare } from '../../db/models/quote-share.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { recipientsOfShare } from '../../db/reads/share-recipients.ts';
import { closeShare } from '../../db/writes/close-share.ts';
import { uncountMail } from '../../db/writes/count-mail.ts';
import type { Caller } from '../../domain/caller.ts';
import {
  ServiceError,
  clientHasNoEmail,
  mailFailed,
  quoteClientChanged,
  quoteExpired,
  quoteNotFound,
  unavailable,
} from '../../domain/errors.ts';
import type { Refusal } from '../../domain/refusal-reasons.ts';
import { mailQuotaOf } from '../../domain/mail-quota.ts';
import { hasLapsed } from '../../domain/portal.ts';
import { assertNever } from '../../domain/assert-never.ts';
import type { ShareResult } from '../../workflows/contract.ts';
import type { Deps } from '../deps.ts';
import type { IdempotentCall } from '../route.ts';
import type { ShareOutcome } from '../temporal.ts';
import { openShare, recipientsOf } from './open-share.ts';
import { lockVisibleQuote } from './queries.ts';
import type { ShareQuote } from './share-schema.ts';

/** The wait for a share ends this long before the request's deadline, so that its response is `share_pending`. */
const PENDING_MARGIN_MS = 700;
/** Refusals after which certainly no mail was sent: they do not count against the mail quota of the business. */
const REFUSALS_WITHOUT_MAIL: ReadonlySet<Refusal> = new Set([
  'unavailable',
  'not_found',
  'invalid',
  'conflict',
  'request_in_progress',
]);

/**
 * Mails the quote's PDF and returns the refused recipients when the mail server accepted it. The quote's workflow does
 * the work, so the mail is sent even if this process dies. Recipients and message stay in PostgreSQL.
 */
export async function shareQuote(
  { config, now, withTenant, workflows }: Deps,
  caller: Caller,
  {
    quoteId,
    call,
    request,
    deadline,
  }: { quoteId: string; call: IdempotentCall; request: ShareQuote; deadline: number },
): Promise<readonly string[]> {
  const arrivedAt = new Date();
  const { tenantId, userId, requestId } = caller;
  const quota = mailQuotaOf(config);
  const { quote, share } = await withTenant(tenantId, async (trx) => {
    const found = await lockVisibleQuote(trx, caller, quoteId);
    const recipients = recipientsOf(caller, found.client, request);
    if (!recipients?.to && !found.client.email) throw clientHasNoEmail();
    if (hasLapsed(found, now())) throw quoteExpired();
    const opened = await openShare(trx, found, {
      call,
      quota,
      recipients,
      message: request.message || null,
      arrivedAt,
    });
    const { slug } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
    const { quoteNumber, status } = found;
    return { quote: { tenantId, quoteId, tenantSlug: slug, quoteNumber, status }, share: opened };
  });

  const by = { kind: caller.credential.kind === 'key' ? 'key' : 'user', userId } as const;
  const { shareId, isNew, isSent, mails } = share;
  try {
    const options = { deadline: deadline - PENDING_MARGIN_MS, isRepeated: call.isRepeated };
    if (!isSent) assertSent(await workflows.share(quote, { shareId, by, requestId }, options));
  } catch (error) {
    if (isNew && error instanceof ServiceError && REFUSALS_WITHOUT_MAIL.has(error.kind))
      await withTenant(tenantId, async (trx) => {
        await closeShare(trx, shareId, null);
        if (quota) await uncountMail(trx, mails);
      });
    throw error;
  }
  // Without recipients there is one, which was accepted.
  if (!request.to && !request.cc) return [];
  return withTenant(tenantId, async (trx) => {
    const row = await QuoteShare.query(trx).findOne({ tenantId, id: shareId }).throwIfNotFound();
    const recipients = recipientsOfShare(row);
    const to = recipients?.to?.map(({ address }) => address) ?? [null];
    const all = [...to, ...(recipients?.cc ?? []).map(({ address }) => address)];
    return all.filter((address, position) => row.rejected.includes(position)).filter((address) => address !== null);
  });
}

/** Throws the refusal for a share that did not send its mail. */
export function assertSent({ result, run }: ShareOutcome): void {
  switch (result.outcome) {
    case 'sent':
      return;
    case 'mail_failed':
      throw mailFailed(run);
    case 'unavailable':
      throw unavailable(undefined, run);
    case 'refused':
      throw refusalOf(result.reason, run);
  }
}

function refusalOf(
  reason: Extract<ShareResult, { outcome: 'refused' }>['reason'],
  run: ShareOutcome['run'],
): ServiceError {
  switch (reason) {
    case 'quote_not_found':
      return quoteNotFound(run);
    case 'client_has_no_email':
      return clientHasNoEmail(run);
    case 'client_changed':
      return quoteClientChanged(run);
    default:
      return assertNever(reason);
  }
}
