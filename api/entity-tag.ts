import { createHash } from 'node:crypto';
import { invalidInput, versionMismatch } from '../domain/errors.ts';

/** Entity tags and the conditions on them: RFC 9110, sections 8.8.3 and 13.1. */

/**
 * A strong tag.
 *
 * @param revision of the row
 * @param foreign what the response shows of other rows
 */
export function entityTag(revision: number, foreign?: readonly unknown[]): string {
  if (!foreign) return `"${revision}"`;
  return `"${revision}-${createHash('sha256').update(JSON.stringify(foreign)).digest('base64url').slice(0, 16)}"`;
}

/** A body with its tag, as the rest of a handler's result. */
export interface Tagged<Body> {
  readonly body: Body;
  readonly headers: { readonly ETag: string };
}

export const tagged = <Body>(body: Body, etag: string): Tagged<Body> => ({ body, headers: { ETag: etag } });

/** For `inTenant`, whose work gives only a body. */
export const withTag = <Body, Status extends number>({
  status,
  body,
}: {
  readonly status: Status;
  readonly body: Tagged<Body>;
}) => ({ status, ...body });

/** Throws the 412 unless the tag is the record's current one. To be called under the row's lock. */
export type IfMatch = (current: string) => void;

/** The condition of a request; undefined for none, and for `*`, which every record meets. Weak tags match no record. */
export function ifMatchOf(header: string | undefined): IfMatch | undefined {
  const tags = header === undefined ? '*' : tagsOf('If-Match', header);
  if (tags === '*') return undefined;
  return (current) => {
    if (!tags.includes(current)) throw versionMismatch();
  };
}

/** Whether the caller has the version with that tag. */
export type IfNoneMatch = (current: string) => boolean;

export function ifNoneMatchOf(header: string | undefined): IfNoneMatch | undefined {
  if (header === undefined) return undefined;
  const tags = tagsOf('If-None-Match', header);
  return (current) => tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === current);
}

/** `*`, or tags separated by commas; elements of the list may be empty. */
const HEADER = /^[ \t]*\*[ \t]*$|^(?:[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?=,|$))+[ \t,]*$/;

/** A malformed header is a 400, because its sender believes that the request is conditional. */
function tagsOf(name: string, header: string): '*' | readonly string[] {
  if (!HEADER.test(header))
    throw invalidInput([
      { path: name, message: 'debe ser * o una lista de etiquetas entre comillas, como las de ETag' },
    ]);
  return header.trim() === '*' ? '*' : (header.match(/(?:W\/)?"[^"]*"/g) ?? []);
}
