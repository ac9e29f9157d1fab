import { isUtf8 } from 'node:buffer';
import bodyText from 'co-body';
import type { Context } from 'koa';
import { type ServiceError, tooLarge, unsupportedMediaType } from '../domain/errors.ts';

/**
 * The request's body as text. More than `maxBytes` are a 413: before the first byte is read when the client says how long
 * the body is, otherwise as soon as that many were read or unpacked. `broken` is the refusal of a body that cannot be read,
 * which one that is not UTF-8 cannot; one that says that it is something else is a 415.
 */
export async function readText(ctx: Context, maxBytes: number, broken: () => ServiceError): Promise<string> {
  if (!/^(utf-?8)?$/i.test(ctx.request.charset)) throw unsupportedMediaType();
  const bytes = await readBytes(ctx, maxBytes, broken);
  // A decoder would put U+FFFD in the place of each byte that it cannot read.
  if (!isUtf8(bytes)) throw broken();
  return new TextDecoder().decode(bytes);
}

async function readBytes(ctx: Context, maxBytes: number, broken: () => ServiceError): Promise<Buffer> {
  // Without an encoding the reader decodes nothing, which its types do not know; they say any for what it returns.
  const options = { limit: maxBytes, encoding: null as unknown as string };
  try {
    return (await bodyText.text(ctx, options)) as Buffer;
  } catch (error) {
    // The reader's own errors carry a status; everything else is a connection that was cut.
    const status = error instanceof Error && 'status' in error ? error.status : undefined;
    if (status === 413) throw tooLarge();
    throw status === 415 ? unsupportedMediaType() : broken();
  }
}
