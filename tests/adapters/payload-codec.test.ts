import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import * as fc from 'fast-check';
import { decodeHistory } from '../../adapters/temporal/decode-history.ts';
import { createPayloadCodec, PayloadUnreadable } from '../../adapters/temporal/payload-codec.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) ?? {};
const plain = (one: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(one ?? {});

describe('createPayloadCodec', () => {
  it('decrypts what it encrypted, metadata and bytes, whatever they were', async () => {
    const codec = createPayloadCodec(key('k1'));
    const bytes = fc.uint8Array({ maxLength: 300 });

    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), bytes), bytes, async (metadata, data) => {
        const [decoded] = await codec.decode(await codec.encode([{ metadata, data }]));

        assert.deepEqual(Buffer.from(decoded?.data ?? []), Buffer.from(data));
        const names = Object.entries(decoded?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value)]);
        assert.deepEqual(
          names,
          Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value)]),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('reveals no content, names the key, and encrypts the same payload differently each time', async () => {
    const codec = createPayloadCodec(key('k1'));

    const [one, two] = await codec.encode([payload({ quoteId: 'cotización-1' }), payload({ quoteId: 'cotización-1' })]);

    assert.equal(Buffer.from(one?.metadata?.['encoding'] ?? []).toString(), 'binary/encrypted');
    assert.equal(Buffer.from(one?.metadata?.['encryption-key-id'] ?? []).toString(), 'k1');
    assert.ok(!Buffer.from(one?.data ?? []).includes('quoteId'));
    assert.notDeepEqual(one?.data, two?.data);
  });

  it('decrypts with an old key while it is listed after a new one, and no longer without it', async () => {
    const [old, fresh] = [key('k1'), key('k2')];
    const before = await createPayloadCodec(old).encode([payload('x')]);

    const rotated = createPayloadCodec(`${fresh},${old}`);
    const after = await rotated.encode([payload('x')]);

    assert.equal(plain((await rotated.decode(before))[0]), 'x');
    assert.equal(plain((await createPayloadCodec(fresh).decode(after))[0]), 'x');
    await assert.rejects(createPayloadCodec(fresh).decode(before), PayloadUnreadable);
  });

  it('passes plain payloads unchanged: of executions from before there were keys', async () => {
    const codec = createPayloadCodec(key('k1'));

    assert.deepEqual(await codec.decode([payload('x')]), [payload('x')]);
  });

  it('throws PayloadUnreadable when a byte was changed, it was truncated, or it names another key', async () => {
    const codec = createPayloadCodec(`${key('k1')},${key('k2')}`);
    const [one = {}] = await codec.encode([payload('x')]);
    const data = Buffer.from(one.data ?? []);
    const changed = (at: number) => Buffer.from(data.map((byte, i) => (i === at ? byte ^ 1 : byte)));

    for (const broken of [...data.keys()].map((at) => ({ ...one, data: changed(at) })))
      await assert.rejects(codec.decode([broken]), PayloadUnreadable);
    for (const length of [27, 20, 5, 0])
      await assert.rejects(codec.decode([{ ...one, data: data.subarray(0, length) }]), PayloadUnreadable);
    const renamed = { ...one, metadata: { ...one.metadata, 'encryption-key-id': Buffer.from('k2') } };
    await assert.rejects(codec.decode([renamed]), PayloadUnreadable);
  });

  it('throws PayloadUnreadable when the name of the key was changed: it is authenticated', async () => {
    const bytes = randomBytes(32).toString('base64');
    const codec = createPayloadCodec(`k1:${bytes},k2:${bytes}`);
    const [one = {}] = await codec.encode([payload('x')]);

    const renamed = { ...one, metadata: { ...one.metadata, 'encryption-key-id': Buffer.from('k2') } };

    await assert.rejects(codec.decode([renamed]), PayloadUnreadable);
  });
});

describe('decodeHistory', () => {
  it('decrypts payloads anywhere in a history, and leaves plain ones and everything else', async () => {
    const codec = createPayloadCodec(key('k1'));
    const [input = {}, memo = {}] = await codec.encode([payload({ id: 1 }), payload('m')]);
    const attributes = payload('TenantId');
    const history = {
      events: [
        {
          eventId: 1,
          at: new Uint8Array([1]),
          none: null,
          started: { input: { payloads: [input] }, memo: { fields: { requestId: memo } } },
        },
        { eventId: 2, searchAttributes: { indexedFields: { TenantId: attributes } } },
      ],
    };

    await decodeHistory(history, codec);

    const [first, second] = history.events;
    assert.deepEqual(plain(first?.started?.input.payloads[0]), { id: 1 });
    assert.equal(plain(first?.started?.memo.fields.requestId), 'm');
    assert.deepEqual(second?.searchAttributes?.indexedFields.TenantId, payload('TenantId'));
    assert.deepEqual([first?.eventId, first?.at], [1, new Uint8Array([1])]);
  });
});
