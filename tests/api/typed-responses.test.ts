import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { labelBody } from '../../api/labels/present.ts';
import { LabelBody } from '../../api/labels/schema.ts';
import type { quoteBody } from '../../api/quotes/present.ts';
import { QuoteBody } from '../../api/quotes/schema.ts';
import { route } from '../../api/route.ts';
import { pageOf, paged, type ResponseBody } from '../../api/schema.ts';
import { streamData } from '../../api/streams.ts';
import { Label } from '../../db/models/label.ts';

/**
 * `npm run types` checks these tests: it fails when the code below an expected error compiles. What runs shows that the
 * error is a true one: the body does not match the schema.
 */
describe('types of responses', () => {
  const common = {
    method: 'GET',
    path: '/api/labels',
    operationId: 'listExtendedLabels',
    tag: 'Labels',
    summary: 'Labels',
    access: 'public',
  } as const;
  const label = Object.assign(new Label(), { id: 'l1', name: 'Urgente', color: '#1d5fd1', createdAt: new Date(0) });
  const body = labelBody(label);
  /** The schema of a label after somebody added a member. */
  const Extended = Type.Interface([LabelBody], { reference: Type.String() });

  it('a body of its schema compiles', () => {
    const responses = { 200: { description: 'Labels', schema: LabelBody } };

    route({ ...common, responses, handle: () => Promise.resolve({ status: 200, body }) });

    assert.equal(Value.Check(LabelBody, body), true);
  });

  it('a member of the schema that the presenter lacks is a type error', () => {
    const responses = { 200: { description: 'Labels', schema: Extended } };

    // @ts-expect-error -- `reference` is missing
    route({ ...common, responses, handle: () => Promise.resolve({ status: 200, body }) });

    assert.equal(Value.Check(Extended, body), false);
  });

  it('a missing member in a list is a type error', () => {
    const responses = { 200: { description: 'Labels', schema: pageOf('ExtendedLabelPage', Extended) } };
    const page = paged([body], { total: 1, page: 1, limit: 20 });

    // @ts-expect-error -- `reference` is missing
    route({ ...common, responses, handle: () => Promise.resolve({ status: 200, body: page }) });

    assert.equal(Value.Check(pageOf('ExtendedLabelPage', Extended), page), false);
  });

  it('a missing member in a stream is a type error', async () => {
    const Streamed = Type.Object({ data: Type.Array(Extended) });
    const responses = { 200: { description: 'Labels', schema: Streamed } };
    const stream = () => streamData(Readable.from([[body]]) satisfies AsyncIterable<(typeof body)[]>);

    // @ts-expect-error -- `reference` is missing
    route({ ...common, responses, handle: () => Promise.resolve({ status: 200, body: stream() }) });

    const json = (await stream().toArray()).join('');
    assert.equal(Value.Check(Streamed, JSON.parse(json)), false);
  });

  it('a missing member of a line of a quote is a type error', () => {
    const Line = Type.Interface([QuoteBody.properties.items.items], { reference: Type.String() });
    const Quote = Type.Interface([QuoteBody], { items: Type.Array(Line) });
    const handle = (quote: ReturnType<typeof quoteBody>) => Promise.resolve({ status: 200 as const, body: quote });
    const responses = { 200: { description: 'The quote', schema: Quote } };

    // @ts-expect-error -- `items.*.reference` is missing
    const declare = (quote: Static<typeof QuoteBody>) => route({ ...common, responses, handle: () => handle(quote) });

    assert.equal(typeof declare, 'function');
  });

  it('a member of the presenter that the schema lacks is a type error', () => {
    // @ts-expect-error -- the schema has no `secret`
    const present = (): ResponseBody<typeof LabelBody> => ({ ...body, secret: 'x' });

    const unknown = Object.keys(present()).filter((name) => !(name in LabelBody.properties));
    assert.deepEqual(unknown, ['secret']);
  });

  it('a status without a declared response is a type error', () => {
    const responses = { 200: { description: 'Labels', schema: LabelBody } };

    // @ts-expect-error -- 201 is not declared
    const { responses: declared } = route({ ...common, responses, handle: async () => ({ status: 201, body }) });

    assert.equal(201 in declared, false);
  });

  it('a JSON body where the route declares a file is a type error', () => {
    const responses = { 200: { description: 'The document', contentType: 'application/pdf' } };

    // @ts-expect-error -- neither a Buffer nor a stream
    const { responses: declared } = route({ ...common, responses, handle: async () => ({ status: 200, body }) });

    assert.equal(declared[200]?.schema, undefined);
  });
});
