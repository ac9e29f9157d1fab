import { parse, type ParsedUrlQuery } from 'node:querystring';
import { invalidInput } from '../domain/errors.ts';

/**
 * The parameters of a query. Escapes that are not UTF-8 are a 400, with `message` if the route has one.
 * Koa's own parser takes quadratic time in the number of parameters.
 */
export function readQuery(querystring: string, message?: string): ParsedUrlQuery {
  if (hasUtf8Escapes(querystring)) return { ...parse(querystring) };
  const broken = querystring.split('&').filter((pair) => !hasUtf8Escapes(pair));
  const details = broken.map((pair) => ({ path: nameIn(pair), message: 'contiene caracteres no permitidos' }));
  throw invalidInput(details, message);
}

/** Escapes of bytes beyond ASCII: a character's are beside each other. */
const BEYOND_ASCII = /(?:%[89a-f][0-9a-f])+/gi;

/** Whether the escaped bytes are UTF-8. Parsers of queries and forms would replace invalid bytes with U+FFFD. */
export function hasUtf8Escapes(escaped: string): boolean {
  try {
    decodeURIComponent(escaped.match(BEYOND_ASCII)?.join(' ') ?? '');
    return true;
  } catch {
    return false;
  }
}

const nameIn = (pair: string): string => Object.keys(parse(pair))[0]?.slice(0, 100) ?? '';
