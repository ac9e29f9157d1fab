import { parse } from '@hapi/bourne';
import type { Context } from 'koa';
import { invalidInput, invalidJson, unsupportedMediaType } from '../domain/errors.ts';
import { isDeeperThan } from './json-depth.ts';
import { readText } from './read-text.ts';

/** Levels of lists and objects in a body. No schema of ours comes near. */
const MAX_LEVELS = 32;

/** The request's JSON body; an empty object when there is none, so that the schema can say what is missing. */
export async function readBody(ctx: Context, maxBytes: number): Promise<unknown> {
  // Clients announce a body of no bytes when they send none.
  if (ctx.request.is('json', '+json') === null || ctx.get('Content-Length') === '0') return {};
  if (!ctx.request.is('json', '+json')) throw unsupportedMediaType();
  const json = await readText(ctx, maxBytes, invalidJson);
  if (json === '') return {};
  // Only objects and arrays are bodies; a bare string or number is no JSON request.
  if (!/^[ \t\r\n]*[[{]/.test(json)) throw invalidJson();
  if (isDeeperThan(MAX_LEVELS, json))
    throw invalidInput([{ path: '', message: `debe tener como máximo ${MAX_LEVELS} niveles` }]);
  try {
    return parse(json);
  } catch {
    throw invalidJson();
  }
}
