import type { DispatcherDb } from '../dispatcher-db.ts';

/** A file in the database, and its relation to a signature. */
export interface ListedFile {
  readonly storageKey: string;
  readonly kind: 'quote_pdf' | 'signed_pdf' | 'logo' | 'attachment';
  readonly sha256: string;
  readonly createdAt: Date;
  /** Whether it belongs to a signature: the signed document, the one shown before, or a file attached to the quote. */
  readonly isEvidence: boolean;
  /** False for the file of an upload that did not finish: it may lack its object. */
  readonly isReferenced: boolean;
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
              when 'attachment' then exists
                (select from quote_attachments a join signatures s using (tenant_id, quote_id)
                  where a.tenant_id = f.tenant_id and a.file_id = f.id and a.until_version is null)
              else false end as "isEvidence",
            kind <> 'attachment' or exists
              (select from quote_attachments a where a.tenant_id = f.tenant_id and a.file_id = f.id) as "isReferenced"
       from files f where storage_key collate "C" > :after
      order by storage_key collate "C" limit :limit`,
    { after, limit },
  );
  return rows;
}
