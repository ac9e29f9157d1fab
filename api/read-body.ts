import { parse } from '@hapi/bourne';
import type { Context } from 'koa';
import { contentTypeNotSupported, invalidJson, jsonTooDeep } from '../domain/request-refusals.ts';
import { isDeeperThan } from './json-depth.ts';
import { readText } from './read-text.ts';

/** Maximum nesting of a body. Our schemas need far less. */
const MAX_LEVELS = 32;

/** The JSON body of the request; an empty object without one, so that the schema reports missing members. */
export async function readBody(ctx: Context, maxBytes: number): Promise<unknown> {
  const type = ctx.request.is('json', '+json');
  // Some clients send Content-Length: 0 without a body.
  if (type === null || ctx.get('Content-Length') === '0') return {};
  if (!type) throw contentTypeNotSupported();
  const json = await readText(ctx, maxBytes, invalidJson);
  if (json === '') return {};
  // Only objects and arrays are accepted as bodies.
  if (!/^[ \t\r\n]*[[{]/.test(json)) throw invalidJson();
  if (isDeeperThan(MAX_LEVELS, json)) throw jsonTooDeep(MAX_LEVELS);
  try {
    return parse(json);
  } catch {
    throw invalidJson();
  }
}
