import type { DispatcherDb } from '../../db/dispatcher-db.ts';
import { fingerprint } from '../../adapters/pdf/fingerprint.ts';
import type { Storage } from '../../adapters/storage.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { forgetFiles, type IdleFile, idleFiles } from '../../db/writes/purge-files.ts';
import type { WithTenant } from '../../db/with-tenant.ts';
import type { Retention } from '../../domain/housekeeping.ts';
import { quotePdfKey } from '../../domain/quote-drawing.ts';

export interface StoredPdfDeps {
  readonly dispatcher: DispatcherDb;
  readonly withTenant: WithTenant;
  readonly storage: Pick<Storage, 'remove'>;
  readonly retention: Retention;
}

/** Files of a batch: their objects are removed while its transaction is open, 5 s at most. */
const BATCH = 20;

/** Removes one batch of PDFs and attachments that nothing refers to, from storage and from the list. `after` is undefined at the end. */
export async function purgeStoredPdfs(
  { dispatcher, withTenant, storage, retention }: StoredPdfDeps,
  after: string,
): Promise<{ readonly done: number; readonly after: string | undefined }> {
  const files = await idleFiles(dispatcher, retention, { after, limit: BATCH });
  const idle: IdleFile[] = [];
  for (const file of files) if (!(await isOfToday(withTenant, file))) idle.push(file);
  const done = idle.length === 0 ? 0 : await forgetFiles(dispatcher, idle, (key) => storage.remove(key));
  return { done, after: files.length < BATCH ? undefined : files.at(-1)?.id };
}

/** Whether the quote, drawn now, is this very file. */
async function isOfToday(withTenant: WithTenant, { tenantId, quoteId, kind, storageKey }: IdleFile): Promise<boolean> {
  if (kind !== 'quote_pdf' || quoteId === null) return false;
  const drawing = await withTenant(tenantId, (trx) => readQuoteDrawing(trx, quoteId), { isSnapshot: true });
  return drawing !== undefined && quotePdfKey({ tenantId, quoteId }, fingerprint(drawing)) === storageKey;
}
