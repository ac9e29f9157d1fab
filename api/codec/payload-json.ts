import type { Payload } from '@temporalio/common';
import { Ajv } from 'ajv';
import { type Static, Type } from 'typebox';

/** Payloads as the Temporal UI and CLI send them: bytes in base64. */
const Body = Type.Object({
  payloads: Type.Array(
    Type.Object({
      metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
      data: Type.Optional(Type.String()),
    }),
  ),
});

const valid = new Ajv({ strict: false }).compile<Static<typeof Body>>(Body);

/** The payloads of a request; undefined if it is malformed. */
export function payloadsOf(text: string): Payload[] | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!valid(body)) return undefined;
  return body.payloads.map(({ metadata = {}, data = '' }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const),
    ),
    data: Buffer.from(data, 'base64'),
  }));
}

export const jsonOf = (payloads: readonly Payload[]): Static<typeof Body> => ({
  payloads: payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  })),
});
