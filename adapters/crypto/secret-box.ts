import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Secrets that must be readable again (public tokens, webhook secrets) at rest: AES-256-GCM.
 * A sealed text names its key, so keys can be changed without a flag day: the first seals, all open.
 */

const CIPHER = 'aes-256-gcm';
/** Bytes, as NIST SP 800-38D advises for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The text was sealed with a key that we lack, for another row, or it was changed. Says nothing of the secret. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

export interface SecretBox {
  /** `keyId.base64url(iv | ciphertext | tag)`. The context (the id of the row) must be given again to open it. */
  seal(plain: string, context: string): string;
  /** Throws SecretUnreadable unless key, context and text are all as they were sealed. */
  open(sealed: string, context: string): string;
}

/** @param encryptionKeys ENCRYPTION_KEYS: `id:base64` of 32 bytes, comma-separated, the sealing key first. */
export function createSecretBox(encryptionKeys: string): SecretBox {
  const keys = new Map(encryptionKeys.split(',').map(readKey));
  const [sealing] = keys;
  if (!sealing) throw new TypeError('at least one encryption key is needed');
  const [sealingId, sealingKey] = sealing;

  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, iv);
      // Associated data ties the secret to its row: a copy in another row does not open.
      cipher.setAAD(Buffer.from(context, 'utf8'));
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${sealingId}.${sealed.toString('base64url')}`;
    },

    open(sealed, context) {
      const [id = '', text = ''] = sealed.split('.');
      const key = keys.get(id);
      const bytes = Buffer.from(text, 'base64url');
      if (!key) throw new SecretUnreadable('the key that sealed this is not configured');
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new SecretUnreadable('the sealed text is cut short');

      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context, 'utf8'));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SecretUnreadable('the sealed text or its context was changed', { cause });
      }
    },
  };
}

function readKey(entry: string): [id: string, key: Buffer] {
  const [id = '', text = ''] = entry.split(':');
  const key = Buffer.from(text, 'base64');
  if (!id || key.length !== 32) throw new TypeError('an encryption key must be id:base64 of 32 bytes');
  return [id, key];
}
