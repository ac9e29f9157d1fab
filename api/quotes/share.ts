import { Tenant } from '../../db/models/tenant.ts';
import { countMail, uncountMail } from '../../db/writes/count-mail.ts';
import type { Caller } from '../../domain/caller.ts';
import {
  clientHasNoEmail,
  mailFailed,
  quoteExpired,
  quoteNotFound,
  type Refusal,
  ServiceError,
  unavailable,
} from '../../domain/errors.ts';
import { mailQuotaOf } from '../../domain/mail-quota.ts';
import { hasLapsed } from '../../domain/portal.ts';
import type { Deps } from '../deps.ts';
import type { IdempotentCall } from '../route.ts';
import type { ShareOutcome } from '../temporal.ts';
import { findVisibleQuote } from './queries.ts';

/** A caller waits this long for a share; then the response is `share_pending`. */
const SHARE_WAIT_MS = 9_000;
/** Refusals after which certainly no mail was sent: they do not count against the mail quota of the business. */
const REFUSALS_WITHOUT_MAIL: ReadonlySet<Refusal> = new Set(['unavailable', 'not_found', 'invalid']);

/**
 * Mails the quote's PDF to its client and returns when the mail server accepted it. The quote's workflow does the work,
 * so the mail is sent even if this process dies.
 */
export async function shareQuote(
  { config, now, withTenant, workflows }: Deps,
  caller: Caller,
  { quoteId, call }: { quoteId: string; call: IdempotentCall },
): Promise<void> {
  const deadline = Date.now() + SHARE_WAIT_MS;
  const { tenantId, userId, requestId } = caller;
  const quote = await withTenant(tenantId, async (trx) => {
    const found = await findVisibleQuote(trx, caller, quoteId);
    if (!found.client.email) throw clientHasNoEmail();
    if (hasLapsed(found, now())) throw quoteExpired();
    if (!call.isRepeated) await countMail(trx, mailQuotaOf(config));
    const { slug } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
    return { tenantId, quoteId, tenantSlug: slug, quoteNumber: found.quoteNumber, status: found.status };
  });

  const by = { kind: caller.credential.kind === 'key' ? 'key' : 'user', userId } as const;
  const { id: shareId, isKeyed, isRepeated } = call;
  try {
    assertSent(await workflows.share(quote, { shareId, by, requestId }, { deadline, isKeyed, isRepeated }));
  } catch (error) {
    const wasNotSent = error instanceof ServiceError && REFUSALS_WITHOUT_MAIL.has(error.kind);
    if (wasNotSent && !isRepeated && mailQuotaOf(config)) await withTenant(tenantId, uncountMail);
    throw error;
  }
}

/** Throws the refusal for a share that did not send its mail. */
function assertSent({ result, run }: ShareOutcome): void {
  switch (result.outcome) {
    case 'sent':
      return;
    case 'mail_failed':
      throw mailFailed(run);
    case 'unavailable':
      throw unavailable(undefined, run);
    case 'refused':
      throw result.reason === 'quote_not_found' ? quoteNotFound(run) : clientHasNoEmail(run);
  }
}
