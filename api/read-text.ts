import { isUtf8 } from 'node:buffer';
import bodyText from 'co-body';
import type { Context } from 'koa';
import { type ServiceError } from '../domain/errors.ts';
import { bodyTooLarge, charsetNotSupported, contentEncodingNotSupported } from '../domain/request-refusals.ts';

/**
 * The request's body as text. More than `maxBytes` is a 413: before reading if Content-Length is larger, otherwise as
 * soon as that many bytes were read or decompressed. `broken` is the refusal of a body that is malformed or not UTF-8.
 * A declared other charset is a 415.
 */
export async function readText(ctx: Context, maxBytes: number, broken: () => ServiceError): Promise<string> {
  if (!/^(utf-?8)?$/i.test(ctx.request.charset)) throw charsetNotSupported();
  const bytes = await readBytes(ctx, maxBytes, broken);
  // Not decoded by the reader, which would replace invalid bytes with U+FFFD.
  if (!isUtf8(bytes)) throw broken();
  return new TextDecoder().decode(bytes);
}

async function readBytes(ctx: Context, maxBytes: number, broken: () => ServiceError): Promise<Buffer> {
  // Without an encoding the reader returns a Buffer; its types say any.
  const options = { limit: maxBytes, encoding: null as unknown as string };
  try {
    return (await bodyText.text(ctx, options)) as Buffer;
  } catch (error) {
    // Errors of the reader have a status. Others mean that the connection was closed.
    const status = error instanceof Error && 'status' in error ? error.status : undefined;
    if (status === 413) throw bodyTooLarge();
    throw status === 415 ? contentEncodingNotSupported() : broken();
  }
}
