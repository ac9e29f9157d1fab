import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { invalidJson, tooLarge, unsupportedMediaType } from '../domain/errors.ts';

/** 1 MiB of JSON (decisions, section 1). */
const LIMIT_BYTES = 1024 * 1024;

const parse = koaBody({
  jsonLimit: LIMIT_BYTES,
  // Only objects and arrays are bodies; a bare string or number is no JSON request.
  jsonStrict: true,
  json: true,
  text: false,
  urlencoded: false,
  multipart: false,
  onError(error) {
    // The reader's own errors carry a status; everything else is a broken body or a connection that was cut.
    const status = 'status' in error ? error.status : undefined;
    if (status === 413) throw tooLarge();
    // An encoding that nobody can undo is no JSON that is wrong.
    throw status === 415 ? unsupportedMediaType() : invalidJson();
  },
});

/** The request's JSON body; an empty object when there is none, so that the schema can say what is missing. */
export async function readBody(ctx: Context): Promise<unknown> {
  // Clients announce a body of no bytes when they send none.
  if (ctx.request.is('json', '+json') === null || ctx.get('Content-Length') === '0') return {};
  if (!ctx.request.is('json', '+json')) throw unsupportedMediaType();
  await parse(ctx, () => Promise.resolve());
  const { body } = ctx.request as typeof ctx.request & { body?: unknown };
  return body;
}
