import bodyText from 'co-body';
import type { Context } from 'koa';
import { type ServiceError, tooLarge, unsupportedMediaType } from '../domain/errors.ts';

/**
 * The request's body as text. More than `maxBytes` are a 413: before the first byte is read when the client says how long
 * the body is, otherwise as soon as that many were read or unpacked. `broken` is the refusal of a body that cannot be read.
 */
export async function readText(ctx: Context, maxBytes: number, broken: () => ServiceError): Promise<string> {
  try {
    // What co-body returns without `returnRawBody`; its type says any.
    return (await bodyText.text(ctx, { limit: maxBytes })) as string;
  } catch (error) {
    // The reader's own errors carry a status; everything else is a connection that was cut.
    const status = error instanceof Error && 'status' in error ? error.status : undefined;
    if (status === 413) throw tooLarge();
    throw status === 415 ? unsupportedMediaType() : broken();
  }
}
