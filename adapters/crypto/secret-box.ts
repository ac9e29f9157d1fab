import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets that must be readable again (public tokens, webhook secrets): AES-256-GCM. A sealed text names its
 * key, so keys can be rotated: the first key encrypts, all decrypt.
 */

const CIPHER = 'aes-256-gcm';
/** Bytes, as NIST SP 800-38D recommends for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The current format, whose place includes a purpose. The older format had none, and two parts. */
const FORM = '2';

/** What a secret is for; it opens for no other purpose. */
export type SecretPurpose =
  | 'webhook_secret'
  | 'public_token'
  | 'one_time_token'
  | 'idempotent_answer'
  | 'two_factor_secret'
  | 'pending_sign_in';

/** The row and purpose that a secret is bound to. */
export interface SecretPlace {
  readonly purpose: SecretPurpose;
  /** The id of its row. */
  readonly rowId: string;
}

/** The text was sealed with an unknown key or for another place, or it was changed. Does not reveal the secret. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

export interface SecretBox {
  /** `keyId.2.base64url(iv | ciphertext | tag)`. Opening it needs the same place. */
  seal(plain: string, place: SecretPlace): string;
  /** Throws SecretUnreadable unless key, place and text are all as they were sealed. */
  open(sealed: string, place: SecretPlace): string;
  /**
   * The prefix of texts that are sealed with the newest key in the current format; all others are to be re-encrypted.
   */
  readonly newest: string;
}

/** @param encryptionKeys ENCRYPTION_KEYS: `id:base64` of 32 bytes, comma-separated, the sealing key first. */
export function createSecretBox(encryptionKeys: string): SecretBox {
  const keys = readKeys(encryptionKeys);
  const [sealing] = keys;
  if (!sealing) throw new TypeError('at least one encryption key is needed');
  const [sealingId, sealingKey] = sealing;
  const newest = `${sealingId}.${FORM}.`;

  return {
    newest,

    seal(plain, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, iv);
      // Associated data ties the secret to its row: a copy in another row does not open.
      cipher.setAAD(associated(place));
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return newest + sealed.toString('base64url');
    },

    open(sealed, place) {
      const { id, text, aad } = parts(sealed, place);
      const key = keys.get(id);
      const bytes = Buffer.from(text, 'base64url');
      if (!key) throw new SecretUnreadable('the key that sealed this is not configured');
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new SecretUnreadable('the sealed text is truncated');

      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(aad);
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SecretUnreadable('the sealed text or its place was changed', { cause });
      }
    },
  };
}

const associated = ({ purpose, rowId }: SecretPlace): Buffer => Buffer.from(`${purpose} ${rowId}`, 'utf8');

/** The authenticated data of the two formats differ, so neither can pass for the other. */
function parts(sealed: string, place: SecretPlace): { id: string; text: string; aad: Buffer } {
  const [id = '', form = '', text] = sealed.split('.');
  if (text === undefined) return { id, text: form, aad: Buffer.from(place.rowId, 'utf8') };
  if (form !== FORM) throw new SecretUnreadable('the format of the sealed text is unknown');
  return { id, text, aad: associated(place) };
}

/** Parses `id:base64` of 32 bytes, comma-separated, into a map in their order. Throws a TypeError on anything else. */
export function readKeys(list: string): ReadonlyMap<string, Buffer> {
  const entries = list.split(',').map(readKey);
  const keys = new Map(entries);
  if (keys.size < entries.length) throw new TypeError('two encryption keys have the same id');
  return keys;
}

function readKey(entry: string): [id: string, key: Buffer] {
  const [id = '', text = ''] = entry.split(':');
  const key = Buffer.from(text, 'base64');
  if (!id || key.length !== 32) throw new TypeError('an encryption key must be id:base64 of 32 bytes');
  return [id, key];
}
