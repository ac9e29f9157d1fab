import { createHash } from 'node:crypto';
import type { Log } from './log.ts';
import type { ProcessMetrics } from './metrics/metrics.ts';
import { type Storage, StorageUnavailable } from './storage.ts';

/** The state of a signed document in storage. */
export type Loss = 'missing' | 'altered';

/** A signed document is missing, or differs from what was signed. It is never drawn again. */
export class SignedPdfLost extends StorageUnavailable {
  override readonly name = 'SignedPdfLost';
  readonly loss: Loss;

  constructor(loss: Loss, storageKey: string) {
    super(`a signed document is ${loss}: ${storageKey}`);
    this.loss = loss;
  }
}

/** Alerts the operator by a log line and a counter that an alert watches. */
export type ReportLoss = (lost: SignedPdfLost) => void;

export const reportLossTo =
  (log: Log, { signedPdfsLost }: Partial<Pick<ProcessMetrics, 'signedPdfsLost'>>): ReportLoss =>
  (err) => {
    signedPdfsLost?.inc({ loss: err.loss });
    log.error({ err }, 'a signed document cannot be served: restore its file from a backup of the storage');
  };

/**
 * The exact bytes that were signed. Throws SignedPdfLost after alerting the operator, and StorageUnavailable while the
 * storage cannot be read.
 */
export async function readSignedPdf(
  storage: Pick<Storage, 'get' | 'exists'>,
  { storageKey, sha256 }: { readonly storageKey: string; readonly sha256: string },
  report: ReportLoss,
): Promise<Buffer> {
  const lost = (loss: Loss) => {
    const error = new SignedPdfLost(loss, storageKey);
    report(error);
    return error;
  };
  const pdf = await storage.get(storageKey).catch(async (error: unknown) => {
    throw (await storage.exists(storageKey)) ? error : lost('missing');
  });
  if (createHash('sha256').update(pdf).digest('hex') !== sha256) throw lost('altered');
  return pdf;
}
