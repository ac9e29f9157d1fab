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
import type { Attempt } from '../route.ts';
import type { ShareEnd } from '../temporal.ts';
import { findVisibleQuote } from './queries.ts';

/** How long a caller waits for a share (decisions, section 3). */
const SHARE_WAIT_MS = 9_000;
/** Ends of which it is known that no mail went out: they do not count against the business's mails. */
const NOT_SENT: ReadonlySet<Refusal> = new Set(['unavailable', 'not_found', 'invalid']);

/**
 * Mails the quote's PDF to its client and answers when the mail server took it (decisions, section 3). The work is the
 * lifecycle's: if this process dies now, the mail is sent all the same.
 */
export async function shareQuote(
  { config, now, withTenant, workflows }: Deps,
  caller: Caller,
  { quoteId, attempt }: { quoteId: string; attempt: Attempt },
): Promise<void> {
  const deadline = Date.now() + SHARE_WAIT_MS;
  const { tenantId, userId, requestId } = caller;
  const quote = await withTenant(tenantId, async (trx) => {
    const found = await findVisibleQuote(trx, caller, quoteId);
    if (!found.client.email) throw clientHasNoEmail();
    if (hasLapsed(found, now())) throw quoteExpired();
    if (!attempt.isRepeated) await countMail(trx, mailQuotaOf(config));
    const { slug } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
    return { tenantId, quoteId, tenantSlug: slug, quoteNumber: found.quoteNumber, status: found.status };
  });

  const by = { kind: caller.credential.kind === 'key' ? 'key' : 'user', userId } as const;
  const { id: shareId, isKeyed, isRepeated } = attempt;
  try {
    assertSent(await workflows.share(quote, { shareId, by, requestId }, { deadline, isKeyed, isRepeated }));
  } catch (error) {
    const wasNotSent = error instanceof ServiceError && NOT_SENT.has(error.kind);
    if (wasNotSent && !isRepeated && mailQuotaOf(config)) await withTenant(tenantId, uncountMail);
    throw error;
  }
}

/** Turns how a share ended into what the caller reads. */
function assertSent({ result, run }: ShareEnd): void {
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
