import { fileTypeFromBuffer } from 'file-type';
import type { AttachmentType } from '../domain/attachments.ts';

/** The file is no complete PDF, PNG or JPEG, whatever its name and declared type. */
export class AttachmentRefused extends Error {
  override readonly name = 'AttachmentRefused';
  /** A sentence for the uploader, when there is more to say than that the type is wrong. */
  readonly reason: string | undefined;

  constructor(message: string, { cause, reason }: { cause?: unknown; reason?: string | undefined } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

const IMAGES: Readonly<Record<string, AttachmentType>> = {
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/jpeg': 'image/jpeg',
};

/** The type of an upload by its content. Throws AttachmentRefused for other types, and for PDFs that need a password. */
export async function attachmentTypeOf(file: Buffer): Promise<AttachmentType> {
  const found = await fileTypeFromBuffer(file).catch(() => undefined);
  const image = IMAGES[found?.mime ?? ''];
  if (image) return image;
  if (found?.mime !== 'application/pdf') throw new AttachmentRefused('neither PDF nor PNG nor JPEG');
  assertReadablePdf(file);
  return 'application/pdf';
}

const HEADER = /^%PDF-[12]\.\d/;
/** Every way to write the end of a file. Without it the file was cut. */
const END = /startxref\s+\d+\s+%%EOF/;
/**
 * The name /Encrypt, any letter of which may be written as #xx, with a reference or a dictionary as its value. Trailers
 * are never compressed, not even those of cross-reference streams, so a protected file shows it.
 */
const ENCRYPT =
  /\/(?:E|#45)(?:n|#6[eE])(?:c|#63)(?:r|#72)(?:y|#79)(?:p|#70)(?:t|#74)(?:[\s\0]|%[^\r\n]*[\r\n])*(?:<<|\d+[\s\0]+\d+[\s\0]+R)/;

/** A parser is not needed to see whether a PDF can be opened, and would be one more program that reads hostile files. */
function assertReadablePdf(file: Buffer): void {
  const text = file.toString('latin1');
  if (!HEADER.test(text)) throw new AttachmentRefused('no PDF header');
  if (!END.test(text)) throw new AttachmentRefused('no end of a PDF', { reason: 'El PDF está incompleto' });
  if (ENCRYPT.test(text)) {
    throw new AttachmentRefused('an encrypted PDF', {
      reason: 'El PDF está protegido con contraseña o permisos; quítele la protección e intente de nuevo',
    });
  }
}
