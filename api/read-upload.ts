import { Writable } from 'node:stream';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { type ServiceError, tooLarge, unsupportedMediaType } from '../domain/errors.ts';

/** A form with one file, in place of a JSON body. */
export interface Upload {
  /** The form's file field. */
  readonly field: string;
  readonly maxBytes: number;
  /** What the caller reads when the file is not there, is empty or cannot be read. */
  readonly missing: () => ServiceError;
  readonly tooLarge: () => ServiceError;
}

/** What a form may hold beside its file (decisions, section 1). */
const REST_BYTES = 64 * 1024;

/** Codes of formidable's errors, which it does not export by type. */
const FILE_TOO_LARGE = new Set([1009, 1016]);
const FIELDS_TOO_LARGE = new Set([1006, 1007]);

/** The request's form as `{ [field]: its bytes }`. The file stays in memory: it is small, and no file is left behind. */
export async function readUpload(ctx: Context, upload: Upload): Promise<Readonly<Record<string, Buffer>>> {
  if (ctx.request.is('multipart/form-data') === null || ctx.request.length === 0) throw upload.missing();
  if (!ctx.request.is('multipart/form-data')) throw unsupportedMediaType();
  // Without a length there is no telling what comes, and a form's part headers are not bounded by themselves.
  if (ctx.request.length === undefined) throw tooLarge();
  if (ctx.request.length > upload.maxBytes + REST_BYTES) throw upload.tooLarge();

  let file: Buffer | undefined;
  await parser(upload, (bytes) => (file = bytes))(ctx, () => Promise.resolve());
  if (!file || file.length === 0) throw upload.missing();
  return { [upload.field]: file };
}

function parser(upload: Upload, take: (bytes: Buffer) => void) {
  return koaBody({
    json: false,
    text: false,
    urlencoded: false,
    multipart: true,
    formidable: {
      maxFileSize: upload.maxBytes,
      maxTotalFileSize: upload.maxBytes,
      maxFields: 20,
      maxFieldsSize: REST_BYTES,
      allowEmptyFiles: true,
      minFileSize: 0,
      // Others are read past; the last of the right name counts, as with any form field.
      filter: ({ name }) => name === upload.field,
      fileWriteStreamHandler: () => collector(take),
      onPart(part, handle) {
        // A file may come without a content type, which counts for nothing here anyway.
        if (part.originalFilename !== null) part.mimetype ??= 'application/octet-stream';
        handle(part);
      },
    },
    onError(error) {
      const code = 'code' in error ? Number(error.code) : 0;
      if (FILE_TOO_LARGE.has(code)) throw upload.tooLarge();
      throw FIELDS_TOO_LARGE.has(code) ? tooLarge() : upload.missing();
    },
  });
}

function collector(take: (bytes: Buffer) => void): Writable {
  const chunks: Buffer[] = [];
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    final(done) {
      take(Buffer.concat(chunks));
      done();
    },
  });
}
