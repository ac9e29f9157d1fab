import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Secrets that must be readable again (public tokens, webhook secrets) at rest: AES-256-GCM.
 * A sealed text names its key, so keys can be changed without a flag day: the first seals, all open.
 */

const CIPHER = 'aes-256-gcm';
/** Bytes, as NIST SP 800-38D advises for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The form of today: the place names a purpose. Before it did not, and the text had two parts. */
const FORM = '2';

/** What a secret is for, so that it opens for nothing else. */
export type SecretPurpose = 'webhook_secret' | 'public_token' | 'one_time_token' | 'idempotent_answer';

/** Where a secret belongs. */
export interface SecretPlace {
  readonly purpose: SecretPurpose;
  /** The id of its row. */
  readonly rowId: string;
}

/** The text was sealed with a key that we lack, for another place, or it was changed. Says nothing of the secret. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

export interface SecretBox {
  /** `keyId.2.base64url(iv | ciphertext | tag)`. The place must be given again to open it. */
  seal(plain: string, place: SecretPlace): string;
  /** Throws SecretUnreadable unless key, place and text are all as they were sealed. */
  open(sealed: string, place: SecretPlace): string;
  /** How texts begin that are sealed with the newest key in the form of today; what begins otherwise is to be renewed. */
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
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new SecretUnreadable('the sealed text is cut short');

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

/** What is authenticated differs between the two forms, so none can be passed off as the other. */
function parts(sealed: string, place: SecretPlace): { id: string; text: string; aad: Buffer } {
  const [id = '', form = '', text] = sealed.split('.');
  if (text === undefined) return { id, text: form, aad: Buffer.from(place.rowId, 'utf8') };
  if (form !== FORM) throw new SecretUnreadable('the sealed text is of a form that is not known');
  return { id, text, aad: associated(place) };
}

/** `id:base64` of 32 bytes, comma-separated, as a map in their order. Throws a TypeError on anything else. */
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
