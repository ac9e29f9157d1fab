import { createHash, randomBytes } from 'node:crypto';

/** A one-time or public token: 32 random bytes in base64url, 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * The hash that the database stores instead of a token: SHA-256, hexadecimal. Needs no salt or stretching, because a
 * token cannot be guessed.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');
