import sql from 'sql-template-tag';
import type { Metadata } from '../../domain/metadata.ts';
import { named, type NamedStatement } from '../pipeline.ts';

/** The statement that makes the metadata of a quote searchable; none without any. */
export function metadataRows(
  { tenantId, quoteId }: { readonly tenantId: string; readonly quoteId: string },
  metadata: Metadata,
): readonly NamedStatement[] {
  const names = Object.keys(metadata);
  if (names.length === 0) return [];
  return [
    named(
      'insert-quote-metadata',
      sql`insert into quote_metadata (tenant_id, quote_id, name, value)
        select ${tenantId}, ${quoteId}, name, value
        from unnest(${names}::text[], ${Object.values(metadata)}::text[]) as metadata (name, value)`,
    ),
  ];
}
