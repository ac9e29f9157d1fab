import type { DispatcherDb } from '../dispatcher-db.ts';
import type { Retention } from '../../domain/housekeeping.ts';

/** A file that nothing refers to, as far as the tables tell. */
export interface IdleFile {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: 'quote_pdf' | 'signed_pdf' | 'attachment';
  /** Null for an attachment. */
  readonly quoteId: string | null;
  readonly storageKey: string;
}

/**
 * Documents drawn for a signature that was not given, attachments that no version of a quote has, and PDFs of quotes for
 * which there is a newer one. The newer one
 * is not always that of today: the branding may be changed and changed back. In order of their ids, over all businesses.
 */
export async function idleFiles(
  knex: DispatcherDb,
  kept: Pick<Retention, 'supersededPdfs' | 'orphanPdfs'>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly IdleFile[]> {
  const { rows } = await knex.raw<{ rows: IdleFile[] }>(
    `select id, tenant_id as "tenantId", kind, quote_id as "quoteId", storage_key as "storageKey" from files f
      where id > :after and (quote_id is not null or kind = 'attachment') and case kind
        when 'signed_pdf' then created_at < now() - make_interval(days => :orphanPdfs) and not exists
          (select from signatures s where s.tenant_id = f.tenant_id and s.pdf_file_id = f.id)
        when 'attachment' then created_at < now() - make_interval(days => :orphanPdfs) and not exists
          (select from quote_attachments a where a.tenant_id = f.tenant_id and a.file_id = f.id)
        when 'quote_pdf' then created_at < now() - make_interval(days => :supersededPdfs) and not exists
          (select from signatures s where s.tenant_id = f.tenant_id and s.quote_id = f.quote_id
              and s.shown_pdf_sha256 = f.sha256)
          and exists (select from files n where n.tenant_id = f.tenant_id and n.quote_id = f.quote_id
                         and n.kind = 'quote_pdf' and n.created_at > f.created_at)
        else false end
      order by id limit :limit`,
    { after, limit, orphanPdfs: kept.orphanPdfs, supersededPdfs: kept.supersededPdfs },
  );
  return rows;
}

/**
 * Deletes these rows, and their objects before the commit: a transaction that stores the same key meanwhile waits for it,
 * and so writes its object after the old one is gone. Returns how many it deleted; row-level security may keep some.
 */
export async function forgetFiles(
  knex: DispatcherDb,
  files: readonly IdleFile[],
  removeObject: (storageKey: string) => Promise<void>,
): Promise<number> {
  return knex.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { storageKey: string }[] }>(
      'delete from files where id = any(:ids) returning storage_key as "storageKey"',
      { ids: files.map(({ id }) => id) },
    );
    await Promise.all(rows.map(({ storageKey }) => removeObject(storageKey)));
    return rows.length;
  });
}
