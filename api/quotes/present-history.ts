import type { Signature } from '../../db/models/signature.ts';
import type { WorkflowExecution } from '../workflow-executions.ts';
import { selectionOfSignature } from '../portal/selection.ts';
import type { versionSnapshot } from './present.ts';
import type { ResponseBody } from '../schema.ts';
import type { QuoteVersionBody, WorkflowExecutionBody } from './history-schema.ts';

type Snapshot = ReturnType<typeof versionSnapshot>;
type Line = Snapshot['items'][number];

/** Members of the first release. Those that came later stay out of this list: older versions lack them. */
type OriginalMember =
  | 'clientId'
  | 'notes'
  | 'subtotal'
  | 'tax'
  | 'shippingCost'
  | 'total'
  | 'taxRate'
  | 'currency'
  | 'expiresAt';
type OriginalLineMember = 'productId' | 'productName' | 'model' | 'unitPrice' | 'quantity' | 'discountPct' | 'subtotal';

type Stored<T, Original extends keyof T> = Pick<T, Original> & Partial<Omit<T, Original>>;

/** A snapshot as any release wrote it. Its schema, `QuoteVersionBody`, allows the same members to be absent. */
type StoredSnapshot = Stored<Omit<Snapshot, 'items'>, OriginalMember> & {
  readonly items: Stored<Line, OriginalLineMember>[];
};

export interface QuoteVersionRow {
  readonly id: string;
  readonly version: number;
  readonly snapshot: string;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export const quoteVersion = (row: QuoteVersionRow): ResponseBody<typeof QuoteVersionBody> => ({
  id: row.id,
  version: row.version,
  // Only `versionSnapshot` of some release writes it, and the table is append-only.
  snapshot: JSON.parse(row.snapshot) as StoredSnapshot,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
});

export const signatureBody = (signature: Signature & { readonly data: string }) => ({
  type: signature.type,
  data: signature.data,
  signerName: signature.signerName,
  signerEmail: signature.signerEmail,
  signedAt: signature.signedAt.toISOString(),
});

export const workflowExecution = (run: WorkflowExecution): ResponseBody<typeof WorkflowExecutionBody> => ({
  workflowId: run.workflowId,
  runId: run.runId,
  type: run.type,
  status: run.status,
  startTime: run.startTime.toISOString(),
  closeTime: run.closeTime?.toISOString() ?? null,
  url: run.url,
});

/** The evidence of an acceptance without the links to its documents. */
export const evidenceBody = (signature: Signature & { readonly data: string }, quoteNumber: number) => ({
  signatureId: signature.id,
  quoteId: signature.quoteId,
  quoteNumber,
  version: signature.version,
  ...signatureBody(signature),
  typedText: signature.typedText,
  consentText: signature.consentText,
  consentLocale: signature.consentLocale,
  ip: signature.ip,
  userAgent: signature.userAgent,
  selection: selectionOfSignature(signature),
  snapshot: signature.snapshot,
  snapshotSha256: signature.snapshotSha256,
  pdfSha256: signature.pdfSha256,
  shownPdfSha256: signature.shownPdfSha256,
});
