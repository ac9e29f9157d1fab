import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** A label as quotes show it. */
export interface LabelOfQuote {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

/**
 * The labels of these quotes by quote id, each list ordered by name; a quote without labels is not in the map. One
 * query for a whole page: `const labels = await labelsOf(trx, rows.map(({ id }) => id))`, then `labels.get(id) ?? []`
 * as the quote's `labels`. The rows hold only what responses show.
 */
export async function labelsOf(
  trx: TenantTransaction,
  quoteIds: readonly string[],
): Promise<ReadonlyMap<string, readonly LabelOfQuote[]>> {
  const labels = new Map<string, LabelOfQuote[]>();
  if (quoteIds.length === 0) return labels;
  const rows: (LabelOfQuote & { quoteId: string })[] = await trx('quoteLabels as ql')
    .join('labels as l', (on) => on.on('l.tenantId', 'ql.tenantId').andOn('l.id', 'ql.labelId'))
    .where('ql.tenantId', tenantOf(trx))
    .whereIn('ql.quoteId', [...quoteIds])
    .orderByRaw('lower(l.name), l.id')
    .select('ql.quoteId', 'l.id', 'l.name', 'l.color');
  for (const { quoteId, id, name, color } of rows) {
    labels.set(quoteId, [...(labels.get(quoteId) ?? []), { id, name, color }]);
  }
  return labels;
}
