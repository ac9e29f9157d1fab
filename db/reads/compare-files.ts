import type { DispatcherDb } from '../dispatcher-db.ts';

/** A file in the database, and its relation to a signature. */
export interface ListedFile {
  readonly storageKey: string;
  readonly kind: 'quote_pdf' | 'signed_pdf' | 'logo';
  readonly sha256: string;
  readonly createdAt: Date;
  /** Whether it belongs to a signature: the signed document, or the one shown before. Neither can be made again. */
  readonly isEvidence: boolean;
}

/** Files after that key, in the order in which storage lists its objects. Uses the dispatcher's role. */
export async function filesInOrder(
  knex: DispatcherDb,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ListedFile[]> {
  const { rows } = await knex.raw<{ rows: ListedFile[] }>(
    `select storage_key as "storageKey", kind, sha256, created_at as "createdAt",
            case kind
              when 'signed_pdf' then exists
                (select from signatures s where s.tenant_id = f.tenant_id and s.pdf_file_id = f.id)
              when 'quote_pdf' then exists
                (select from signatures s where s.tenant_id = f.tenant_id and s.quote_id = f.quote_id
                    and s.shown_pdf_sha256 = f.sha256)
              else false end as "isEvidence"
       from files f where storage_key collate "C" > :after
      order by storage_key collate "C" limit :limit`,
    { after, limit },
  );
  return rows;
}
