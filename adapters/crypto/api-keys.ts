import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashToken } from './tokens.ts';

/**
 * API keys: `svc_`, 32 random hexadecimal digits, and 8 digits that are the CRC-32 of those 32 as text. The check
 * digits let us, and secret scanners, reject malformed keys without a query; they protect against nothing else.
 */
const KEY = /^svc_([0-9a-f]{32})([0-9a-f]{8})$/;

const checkDigits = (digits: string): string => crc32(digits).toString(16).padStart(8, '0');

export interface NewApiKey {
  /** The whole key: shown once, never stored. */
  readonly key: string;
  /** SHA-256 of the key, hexadecimal: what is stored and looked up. */
  readonly hash: string;
  /** The prefix by which lists show the key: "svc_" and its first four digits. */
  readonly prefix: string;
  readonly last4: string;
}

/** @param digits 32 random hexadecimal digits; the example data passes its own */
export function newApiKey(digits = randomBytes(16).toString('hex')): NewApiKey {
  const key = `svc_${digits}${checkDigits(digits)}`;
  return { key, hash: hashToken(key), prefix: key.slice(0, 8), last4: key.slice(-4) };
}

/** The hash under which a presented key is stored; undefined when the text cannot be a key. */
export function parseApiKey(text: string): { hash: string } | undefined {
  const [, digits, check] = KEY.exec(text) ?? [];
  if (digits === undefined || check !== checkDigits(digits)) return undefined;
  return { hash: hashToken(text) };
}
