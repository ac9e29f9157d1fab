import { Throttled } from '../adapters/fair-queue.ts';
import { fingerprint } from '../adapters/pdf/fingerprint.ts';
import { readLogo } from '../adapters/pdf/logo.ts';
import type { PdfRenderer } from '../adapters/pdf/renderer.ts';
import { type ReportLoss, readSignedPdf, SignedPdfLost } from '../adapters/signed-pdf.ts';
import type { Storage } from '../adapters/storage.ts';
import { readDocument } from '../db/reads/signed-file.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import { recordQuotePdf } from '../db/writes/record-quote-pdf.ts';
import { quotePdfKey } from '../domain/quote-drawing.ts';
import type { QuoteRef } from '../workflows/contract.ts';
import { giveUpAfter } from './deadline.ts';
import { LONGEST_PAUSE_MS, throttled } from './throttled.ts';
import { permanent } from './permanent-failure.ts';
import { failures } from '../workflows/failures.ts';

export interface StoredPdf {
  readonly storageKey: string;
}

/** Milliseconds after which a PDF that cannot be made or stored is given up: a share then has 5 s left to say so. */
const GIVE_UP_AFTER_MS = 4_000;

export interface DocumentDeps {
  readonly withTenant: WithTenant;
  readonly pdf: PdfRenderer;
  readonly storage: Storage;
  readonly reportLoss: ReportLoss;
}

export const createDocumentActivities = ({ withTenant, pdf, storage, reportLoss }: DocumentDeps) => ({
  /** Returns where the PDF is, never the PDF: whatever is returned stays in history. What was signed is never drawn. */
  async ensureQuotePdf(quote: QuoteRef): Promise<StoredPdf> {
    const { tenantId, quoteId } = quote;
    const found = await withTenant(tenantId, (trx) => readDocument(trx, quoteId), { isSnapshot: true });
    if (!found) throw permanent(failures.quoteGone, 'there is no such quote');

    const { drawing, signed } = found;
    const storageKey = signed?.storageKey ?? quotePdfKey(quote, fingerprint(drawing));
    try {
      if (signed) {
        await readSignedPdf(storage, signed, reportLoss);
        return { storageKey };
      }
      if (await storage.exists(storageKey)) return { storageKey };
      const logo = await readLogo(storage, drawing);
      const document = await pdf.render(drawing, { key: tenantId, wait: 'never' }, logo);
      // The row first: an object without one would never get it, while a row without its object gets it next time.
      await withTenant(tenantId, (trx) => recordQuotePdf(trx, quoteId, { storageKey, pdf: document }));
      await storage.put(storageKey, document, 'application/pdf');
    } catch (error) {
      if (error instanceof Throttled) throw throttled(error, LONGEST_PAUSE_MS.whileSomebodyWaits);
      throw giveUpAfter(error, failures.documentUnavailable, error instanceof SignedPdfLost ? 0 : GIVE_UP_AFTER_MS);
    }
    return { storageKey };
  },
});
export type DocumentActivities = ReturnType<typeof createDocumentActivities>;
