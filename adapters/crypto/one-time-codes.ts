import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Codes of a second factor: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which every authenticator app knows. */

const STEP_SECONDS = 30;
/** Steps before and after the current one whose codes are accepted: clocks differ, and typing takes time. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** 80 bits, which are 16 characters in base 32. */
const RECOVERY_BYTES = 10;

const totpOf = (secret: string, label: { readonly issuer?: string; readonly account?: string } = {}): TOTP =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    period: STEP_SECONDS,
    ...(label.issuer !== undefined && { issuer: label.issuer }),
    ...(label.account !== undefined && { label: label.account }),
  });

/** A new shared secret: 160 random bits in base 32, as RFC 4226 section 4 recommends. */
export const newSharedSecret = (): string => new Secret({ size: 20 }).base32;

/** The address that an authenticator app reads, usually from a QR code. */
export const otpauthUrl = (secret: string, label: { readonly issuer: string; readonly account: string }): string =>
  totpOf(secret, label).toString();

/** The step whose code this is, within the window around `now`; undefined for any other text. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret).validate({
    token: code.replaceAll(/\s/g, ''),
    timestamp: now.getTime(),
    window: WINDOW,
  });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / STEP_SECONDS) + delta;
}

/** New recovery codes: "ABCD-EFGH-IJKL-MNOP". */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer });
    return base32.match(/.{4}/g)?.join('-') ?? base32;
  });

/** The code as it is hashed: people type it in small letters, with or without hyphens. */
export const plainRecoveryCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
