import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Context } from 'koa';
import { type ServiceError, fileFieldWrong } from '../domain/errors.ts';
import { bodyTooLarge, contentLengthMissing, contentTypeNotSupported } from '../domain/request-refusals.ts';

/** The content of a form: the bytes of its file, by its field, and the name that the sender gave the file. */
export type UploadedForm = Readonly<Record<string, Buffer | string>> & { readonly filename: string };

/** A form with one file, in place of a JSON body. */
export interface Upload {
  /** The form's file field. */
  readonly field: string;
  readonly maxBytes: number;
  /** The message if the file is missing, empty or unreadable. */
  readonly missing: () => ServiceError;
  readonly tooLarge: () => ServiceError;
}

/** Limit for the parts of a form other than its file. */
export const MAX_REST_BYTES = 64 * 1024;

const MAX_PARTS = 20;
/** Of a field's name in a refusal, in UTF-16 units. */
const MAX_SHOWN_NAME = 100;
const MAX_PART_HEADERS = { headerPairs: 20, headerSize: 8 * 1024 };

/**
 * The request's form as `{ [field]: bytes, filename }`. The file is small and stays in memory, so no temporary file can be left
 * over.
 */
export const readUpload = async (ctx: Context, upload: Upload): Promise<UploadedForm> =>
  (await readUploadWithFields(ctx, upload)).file;

/** The same with the other fields of the form. */
export async function readUploadWithFields(
  ctx: Context,
  upload: Upload,
): Promise<{ readonly file: UploadedForm; readonly fields: ReadonlyMap<string, readonly string[]> }> {
  if (ctx.request.is('multipart/form-data') === null || ctx.request.length === 0) throw upload.missing();
  if (!ctx.request.is('multipart/form-data')) throw contentTypeNotSupported();
  // Without Content-Length the size cannot be checked before reading.
  if (ctx.request.length === undefined) throw contentLengthMissing();
  if (ctx.request.length > upload.maxBytes + MAX_REST_BYTES) throw upload.tooLarge();

  const { file, otherField, fields } = await readFile(ctx, upload);
  if (!file && otherField !== undefined) throw fileFieldWrong(otherField, upload.field);
  if (!file || file.bytes.length === 0) throw upload.missing();
  return { file: { [upload.field]: file.bytes, filename: file.name }, fields };
}

interface ReadForm {
  readonly file: { readonly bytes: Buffer; readonly name: string } | undefined;
  /** The field of a file with another name, which a caller may have meant. */
  readonly otherField: string | undefined;
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** The last file with the field's name, and the last value of each field; other files are skipped. */
async function readFile(ctx: Context, upload: Upload): Promise<ReadForm> {
  const form = parserOf(ctx, upload);
  let file: ReadForm['file'];
  let otherField: string | undefined;
  const fields = new Map<string, readonly string[]>();
  try {
    await new Promise<void>((resolve, reject) => {
      let restBytes = 0;
      form.on('file', (name, content, filename) => {
        if (name === upload.field) collect(content, (bytes) => (file = { bytes, name: filename ?? '' }));
        else {
          otherField = name.slice(0, MAX_SHOWN_NAME);
          content.resume();
        }
        content.once('limit', () => reject(upload.tooLarge()));
        content.on('error', () => reject(upload.missing()));
      });
      form.on('field', (name, value) => {
        restBytes += Buffer.byteLength(value);
        if (restBytes > MAX_REST_BYTES) reject(bodyTooLarge());
        else fields.set(name, [value]);
      });
      form.once('partsLimit', () => reject(bodyTooLarge()));
      form.on('error', () => reject(upload.missing()));
      form.once('finish', resolve);
      ctx.req.once('error', () => reject(upload.missing()));
      ctx.req.pipe(form);
    });
  } finally {
    // Stop parsing a refused form.
    ctx.req.unpipe(form);
    ctx.req.resume();
  }
  return { file, otherField, fields };
}

function parserOf(ctx: Context, upload: Upload): Busboy {
  const headers = { 'content-type': ctx.get('Content-Type') };
  const limits = { parts: MAX_PARTS, fileSize: upload.maxBytes, fieldSize: MAX_REST_BYTES + 1, ...MAX_PART_HEADERS };
  try {
    return new Busboy({ headers, limits });
  } catch {
    // The boundary is missing.
    throw upload.missing();
  }
}

function collect(content: BusboyFileStream, take: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  content.on('data', (chunk: Buffer) => chunks.push(chunk));
  content.once('end', () => take(Buffer.concat(chunks)));
}
