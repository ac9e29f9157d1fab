import type { Payload, PayloadCodec } from '@temporalio/common';

/** Decrypts every payload of a downloaded history where it stands, so that it can be replayed and read without keys. */
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

/** By its shape: the places where Temporal puts payloads are many, and more with each version. */
const isPayload = (value: object): value is Payload =>
  'metadata' in value &&
  typeof value.metadata === 'object' &&
  value.metadata !== null &&
  'encoding' in value.metadata &&
  value.metadata.encoding instanceof Uint8Array;
