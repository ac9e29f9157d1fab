import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { readKeys } from '../crypto/secret-box.ts';

/**
 * Encrypts what Temporal stores of each execution: inputs, results, signals, memos, summaries. Its operators and
 * backups then hold ciphertext. Workflow ids, search attributes, type names and failure messages stay plain; ours hold
 * ids, states and fixed sentences, never texts of users.
 */

const CIPHER = 'aes-256-gcm';
/** Bytes, as NIST SP 800-38D recommends for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const PURPOSE = 'quoting payload 1';

/** The payload was encrypted with an unknown key, or it was changed. */
export class PayloadUnreadable extends Error {
  override readonly name = 'PayloadUnreadable';
}

/** @param encryptionKeys TEMPORAL_PAYLOAD_KEYS, as ENCRYPTION_KEYS: the first encrypts, all decrypt. */
export function createPayloadCodec(encryptionKeys: string): PayloadCodec {
  const keys = readKeys(encryptionKeys);
  const [first] = keys;
  if (!first) throw new TypeError('at least one key is needed');
  const [firstId, firstKey] = first;

  return {
    encode: (payloads) => Promise.resolve(payloads.map((payload) => encrypt(payload, firstId, firstKey))),
    decode: async (payloads) => payloads.map((payload) => decrypt(payload, keys)),
  };
}

function encrypt(payload: Payload, keyId: string, key: Buffer): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  cipher.setAAD(Buffer.from(`${PURPOSE} ${keyId}`));
  const data = Buffer.concat([iv, cipher.update(packed(payload)), cipher.final(), cipher.getAuthTag()]);
  return { metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(keyId) }, data };
}

/** Unencrypted payloads pass unchanged: of executions that began before the keys were set, and the server's own. */
function decrypt(payload: Payload, keys: ReadonlyMap<string, Buffer>): Payload {
  if (text(payload.metadata?.['encoding']) !== ENCODING) return payload;
  const keyId = text(payload.metadata?.[KEY_ID]);
  const key = keys.get(keyId);
  const bytes = Buffer.from(payload.data ?? []);
  if (!key) throw new PayloadUnreadable('the key that encrypted this payload is not configured');
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new PayloadUnreadable('the payload is truncated');

  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(`${PURPOSE} ${keyId}`));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return unpacked(Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]));
  } catch (cause) {
    throw new PayloadUnreadable('the payload was changed', { cause });
  }
}

/** Length of the metadata, the metadata as JSON with values in base64, then the data as it is. */
function packed({ metadata, data }: Payload): Buffer {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, Buffer.from(data ?? [])]);
}

function unpacked(bytes: Buffer): Payload {
  const headEnd = LENGTH_BYTES + bytes.readUInt32BE(0);
  // Written by packed(), and authenticated.
  const head = JSON.parse(bytes.subarray(LENGTH_BYTES, headEnd).toString()) as Record<string, string>;
  const metadata = Object.fromEntries(
    Object.entries(head).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const),
  );
  return { metadata, data: bytes.subarray(headEnd) };
}

const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
