import { Throttled } from '../adapters/fair-queue.ts';
import { ensureStoredPdf } from '../adapters/pdf/stored-pdf.ts';
import { readSignedPdf, SignedPdfLost } from '../adapters/signed-pdf.ts';
import { readDocument } from '../db/reads/signed-file.ts';
import { recordQuotePdf } from '../db/writes/record-quote-pdf.ts';
import type { QuoteRef } from '../workflows/contract.ts';
import { failures } from '../workflows/failures.ts';
import { giveUpAfter } from './deadline.ts';
import { MAX_PAUSE_MS, throttled } from './throttled.ts';
import { permanent } from './permanent-failure.ts';
import type { ActivityDeps } from './deps.ts';

export interface StoredPdf {
  readonly storageKey: string;
}

/** Milliseconds after which a PDF that cannot be made or stored is given up: a share then has 5 s left to say so. */
const GIVE_UP_AFTER_MS = 4_000;

export const createDocumentActivities = ({
  withTenant,
  pdf,
  storage,
  reportLoss,
}: Pick<ActivityDeps, 'withTenant' | 'pdf' | 'storage' | 'reportLoss'>) => ({
  /** Returns where the PDF is, never the PDF: whatever is returned stays in history. What was signed is never drawn. */
  async ensureQuotePdf(quote: QuoteRef): Promise<StoredPdf> {
    const { tenantId, quoteId } = quote;
    const found = await withTenant(tenantId, (trx) => readDocument(trx, quoteId), { isSnapshot: true });
    if (!found) throw permanent(failures.quoteGone, 'there is no such quote');

    const { drawing, signed } = found;
    try {
      if (signed) {
        await readSignedPdf(storage, signed, reportLoss);
        return { storageKey: signed.storageKey };
      }
      const { storageKey } = await ensureStoredPdf(
        {
          storage,
          render: (logo) => pdf.render(drawing, { key: tenantId, wait: 'never' }, logo),
          record: (file) => withTenant(tenantId, (trx) => recordQuotePdf(trx, quoteId, file)),
        },
        { tenantId, quoteId, drawing },
      );
      return { storageKey };
    } catch (error) {
      if (error instanceof Throttled) throw throttled(error, MAX_PAUSE_MS.whileSomebodyWaits);
      throw giveUpAfter(error, failures.documentUnavailable, error instanceof SignedPdfLost ? 0 : GIVE_UP_AFTER_MS);
    }
  },
});
export type DocumentActivities = ReturnType<typeof createDocumentActivities>;
