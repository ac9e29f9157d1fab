import type { Detail } from './errors.ts';

/** Names and values that a caller's own system keeps with a quote. */

export type Metadata = Readonly<Record<string, string>>;

export const MAX_METADATA_KEYS = 50;
const MAX_METADATA_BYTES = 8192;
const KEY = /^[A-Za-z0-9_.-]{1,40}$/;
// Names that reach the prototype of objects in the languages of callers.
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);

/** What is wrong with metadata, if anything. */
export function metadataProblems(metadata: Metadata): readonly Detail[] {
  const names = Object.keys(metadata).filter((name) => !KEY.test(name) || FORBIDDEN.has(name));
  if (names.length > 0) {
    return names.map((name) => ({
      path: `metadata.${name.slice(0, 40)}`,
      message: FORBIDDEN.has(name)
        ? 'no puede llamarse así'
        : 'su nombre solo admite de 1 a 40 letras de la A a la Z, cifras y los signos _ . -',
    }));
  }
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  return bytes > MAX_METADATA_BYTES ? [{ path: 'metadata', message: 'debe tener como máximo 8 KiB en total' }] : [];
}
