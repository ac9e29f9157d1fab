import type { Payload, PayloadCodec } from '@temporalio/common';

/** Decrypts every payload of a downloaded history in place, so that it can be replayed and read without keys. */
export async function decodeHistory(history: object, codec: PayloadCodec): Promise<void> {
  await Promise.all(
    Object.values(history).map(async (value: unknown) => {
      if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
      if (!isPayload(value)) return decodeHistory(value, codec);
      const [plain] = await codec.decode([value]);
      Object.assign(value, plain);
    }),
  );
}

/** Recognised by shape: Temporal puts payloads in many places, and in more with each version. */
const isPayload = (value: object): value is Payload =>
  'metadata' in value &&
  typeof value.metadata === 'object' &&
  value.metadata !== null &&
  'encoding' in value.metadata &&
  value.metadata.encoding instanceof Uint8Array;
