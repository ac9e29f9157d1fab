import { quoteMailContent } from '../../adapters/mail/quote-mail.ts';
import { drawingOf } from '../../db/reads/quote-drawing.ts';
import { withClient } from '../../db/reads/share-recipients.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { clientHasNoEmail, quoteExpired } from '../../domain/errors.ts';
import { hasFeature } from '../../domain/plans.ts';
import { hasLapsed } from '../../domain/portal.ts';
import type { Deps } from '../deps.ts';
import { recipientsOf } from './open-share.ts';
import { linkOf } from './public-link.ts';
import { findVisibleQuote } from './queries.ts';
import type { PreviewShare } from './share-schema.ts';

/** The mail that a share with this content would send now, with the refusals of that share. Nothing is sent or stored. */
export async function previewShare(
  deps: Deps,
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, request }: { readonly quoteId: string; readonly request: PreviewShare },
) {
  const quote = await findVisibleQuote(trx, caller, quoteId);
  const chosen = recipientsOf(caller, quote.client, request);
  if (!chosen?.to && !quote.client.email) throw clientHasNoEmail();
  if (hasLapsed(quote, deps.now())) throw quoteExpired();

  const drawing = await drawingOf(trx, quote);
  const recipients = withClient(chosen ?? null, drawing);
  const portalUrl = hasFeature(caller.plan, 'client_portal') ? (await linkOf(deps, trx, caller, quoteId)).url : null;
  const { envelope, subject, filename, text } = quoteMailContent(drawing, {
    portalUrl,
    recipients,
    message: request.message ?? null,
  });
  return {
    fromName: envelope.fromName,
    replyTo: drawing.seller.email,
    to: recipients.to,
    cc: recipients.cc,
    subject,
    text,
    attachments: [filename],
  };
}
