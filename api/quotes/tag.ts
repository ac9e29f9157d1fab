import type { FullQuote } from '../../db/reads/full-quote.ts';
import { type LabelOfQuote, labelsOf } from '../../db/reads/quote-labels.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { entityTag, type IfMatch, type Tagged, tagged } from '../entity-tag.ts';
import { type PresentContext, quoteBody } from './present.ts';

type Body = ReturnType<typeof quoteBody>;

/** The members of a response that do not come from the quote's own row. */
interface ForeignMembers extends Pick<Body, 'validUntil' | 'isExpired' | 'client' | 'user'> {
  readonly labels: readonly LabelOfQuote[];
  readonly items: readonly Pick<Body['items'][number], 'product'>[];
}

/**
 * The entity tag of a quote. Its revision covers its own row, and with it lines, attachments and the set of labels, whose
 * changes raise it; the rest is read from other rows or follows from the time.
 */
export const quoteTag = (
  revision: number,
  { validUntil, isExpired, client, user, labels, items }: ForeignMembers,
): string => entityTag(revision, [validUntil, isExpired, client, user, labels, items.map(({ product }) => product)]);

/** A quote as single reads show it, with its tag. */
export async function taggedQuote(
  trx: TenantTransaction,
  context: PresentContext,
  quote: FullQuote,
): Promise<Tagged<Body>> {
  const body = quoteBody(quote, await labelsOfQuote(trx, quote), context);
  return tagged(body, quoteTag(quote.revision, body));
}

/** Throws the 412 if a condition names another version than that of a locked quote. */
export async function assertMatches(
  trx: TenantTransaction,
  quote: FullQuote,
  { ifMatch, context }: { readonly ifMatch: IfMatch | undefined; readonly context: PresentContext },
): Promise<void> {
  if (ifMatch) ifMatch((await taggedQuote(trx, context, quote)).headers.ETag);
}

export const labelsOfQuote = async (trx: TenantTransaction, { id }: FullQuote): Promise<readonly LabelOfQuote[]> =>
  (await labelsOf(trx, [id])).get(id) ?? [];
