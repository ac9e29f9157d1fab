import { cleanLine } from '../../domain/clean-text.ts';
import { Quote } from '../../db/models/quote.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { changeQuoteStatus } from '../../db/writes/change-quote-status.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { forbidden, quoteExpired } from '../../domain/errors.ts';
import { can } from '../../domain/permissions.ts';
import { hasLapsed } from '../../domain/portal.ts';
import { displayNumber } from '../../domain/quote-number.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import { whatsappUrl } from '../../domain/whatsapp.ts';
import type { Deps } from '../deps.ts';
import { linkOf } from './public-link.ts';
import { lockVisibleQuote } from './queries.ts';

/** Gives the caller the link of a quote, to send it in another way than by mail. From then on the link opens. */
export async function shareLink(
  deps: Deps,
  trx: TenantTransaction,
  caller: Caller,
  { quoteId, message }: { quoteId: string; message: string | null | undefined },
) {
  const found = await lockVisibleQuote(trx, caller, quoteId);
  const { tenantId, status, client } = found;
  const isFirst = status === 'GENERATED';
  if (isFirst && !can(caller.role, 'quotes:read_all')) throw forbidden();
  if (hasLapsed(found, deps.now())) throw quoteExpired();

  if (isFirst) await changeQuoteStatus(trx, memberActor(caller), quoteId, 'SENT');
  else if (found.linkWithheld) await Quote.query(trx).findOne({ tenantId, id: quoteId }).patch({ linkWithheld: false });
  await recordAudit(trx, memberActor(caller), {
    action: 'share',
    entity: 'quote',
    entityId: quoteId,
    metadata: { quoteNumber: found.quoteNumber, version: found.version, channel: 'link' },
  });

  const { url } = await linkOf(deps, trx, caller, quoteId);
  const { companyName, locale, country } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  const { chat } = textsOf(client.locale ?? locale).mail.share;
  const words = message || chat(displayNumber(found), cleanLine(companyName));
  const text = `${words}\n${url}`;
  return { url, whatsappUrl: whatsappUrl(client.phone, { country: client.country ?? country, text }) };
}
