import { createHash } from 'node:crypto';
import { newId } from '../ids.ts';
import { StoredFile } from '../models/stored-file.ts';
import { tenantOf, type TenantTransaction } from '../with-tenant.ts';

/** Notes that a quote's PDF is, or is about to be, in storage under that key. Safe to repeat. */
export async function recordQuotePdf(
  trx: TenantTransaction,
  quoteId: string,
  { storageKey, pdf }: { storageKey: string; pdf: Buffer },
): Promise<void> {
  await StoredFile.query(trx)
    .insert({
      id: newId(),
      tenantId: tenantOf(trx),
      kind: 'quote_pdf',
      quoteId,
      storageKey,
      contentType: 'application/pdf',
      sizeBytes: pdf.length,
      sha256: createHash('sha256').update(pdf).digest('hex'),
    })
    .onConflict(['tenantId', 'storageKey'])
    .ignore();
}
