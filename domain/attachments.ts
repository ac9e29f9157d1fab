import { cleanLine } from './clean-text.ts';
import { attachmentsFixed, quoteIsFinal } from './errors.ts';
import { hasFeature, type Plan } from './plans.ts';
import { isFinal, type QuoteStatus } from './quote-status.ts';

const MEBIBYTE = 1024 * 1024;

/** Limits of the attachments of a quote. `quoteBytes`: all of them together. */
export const MAX_ATTACHMENTS = { count: 5, fileBytes: 5 * MEBIBYTE, quoteBytes: 10 * MEBIBYTE, name: 120 } as const;

/** The types of an attachment, with the endings that its name may have. The first one is added to other names. */
const ENDINGS = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
} as const;
export type AttachmentType = keyof typeof ENDINGS;
export const ATTACHMENT_TYPES = Object.keys(ENDINGS) as readonly AttachmentType[];

/** How lists name the type. */
export const ATTACHMENT_TYPE_NAMES: Readonly<Record<AttachmentType, string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPG',
};

/** A file of a quote, as PDF, page, snapshot and evidence describe it. */
export interface AttachmentFacts {
  readonly name: string;
  readonly contentType: AttachmentType;
  readonly sizeBytes: number;
  /** Hex; of the stored bytes. */
  readonly sha256: string;
}

/** The storage key of an attachment: equal files of a business are one object. */
export const attachmentKey = (tenantId: string, sha256: string): string => `t/${tenantId}/${sha256}`;

/** The name for lists and downloads: one line, without folders and reserved characters, with the ending of the type. */
export function attachmentName(given: string, type: AttachmentType): string {
  const base = given.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const clean = cleanLine(base)
    .replace(/[<>:"|?*]/g, '-')
    .replace(/^[.\s]+/, '');
  const endings: readonly string[] = ENDINGS[type];
  const ending = /\.([a-z]+)$/i.exec(clean)?.[1] ?? '';
  const hasEnding = endings.includes(ending.toLowerCase());
  const suffix = `.${hasEnding ? ending : endings[0]}`;
  const stem = hasEnding ? clean.slice(0, -suffix.length) : clean;
  const cut = Array.from(stem)
    .slice(0, MAX_ATTACHMENTS.name - suffix.length)
    .join('');
  return `${cut.trim() || 'archivo'}${suffix}`;
}

/**
 * Throws unless the attachments can be changed without a new version: clients of a PRO business see a sent quote on
 * its page, so that one changes only by a revision.
 */
export function assertAttachmentsOpen(status: QuoteStatus, plan: Plan): void {
  if (isFinal(status)) throw quoteIsFinal(status);
  if (status === 'SENT' && hasFeature(plan, 'client_portal')) throw attachmentsFixed();
}
