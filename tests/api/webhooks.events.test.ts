import assert from 'node:assert/strict';
import { EVENTS, SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { eventBody, quotePayload } from '../../domain/events.ts';
import { SAMPLE_QUOTE } from '../../domain/event-samples.ts';
import { newId } from '../../db/ids.ts';
import { testStack } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';
import * as build from './build.ts';
import { assertDocumentedEvents, problemOfBody } from './event-bodies.ts';
import { type Service, service } from './service.ts';

describe('GET /api/webhooks/events', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers every subscribable event with its description and a sample body', async () => {
    const { owner } = await build.business();

    const { status, body } = await app.get('/api/webhooks/events', owner);

    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ event }: { event: string }) => event),
      SUBSCRIBABLE_EVENTS,
    );
    assert.deepEqual(Object.keys(body[0]), ['event', 'description', 'sample']);
    assert.deepEqual(
      body.map(({ sample }: { sample: { event: string } }) => sample.event),
      SUBSCRIBABLE_EVENTS,
    );
  });

  for (const event of SUBSCRIBABLE_EVENTS) {
    it(`${event} can be subscribed to, and its sample matches the document`, async () => {
      const { owner } = await build.business();

      const res = await app.post('/api/webhooks', { url: 'https://example.com/aviso', events: [event] }, owner);

      assert.equal(res.status, 201);
      assert.equal(problemOfBody(event, eventBody(event, new Date(), EVENTS[event].sample)), undefined);
    });
  }

  // All bodies in the outbox of a test process, and those that its receivers get, pass this check; this proves that it
  // detects errors.
  it('a body with an undocumented or a missing member does not match the document', () => {
    const { notes: _notes, ...quote } = quotePayload(SAMPLE_QUOTE);
    const problem = (data: object) => problemOfBody('quote.sent', eventBody('quote.sent', new Date(), data)) ?? '';

    assert.match(problem({ quote }), /must have required property 'notes'/);
    assert.match(problem({ quote: quotePayload(SAMPLE_QUOTE), margin: 1 }), /must NOT have additional properties/);
    assert.match(problem({ quote: { ...quotePayload(SAMPLE_QUOTE), margin: 1 } }), /must NOT have additional/);
  });

  it('an event with such a body in the outbox fails the test process, and the same one in the document’s form does not', async () => {
    const { tenantId } = await build.business();
    const { env } = await testStack();
    const payload = (data: object) => eventBody('product.created', new Date(), data);
    const id = newId();
    await rows(
      `insert into outbox_events (id, tenant_id, type, payload, root_event_id, dispatched_at, fanned_out_at)
       values ($1, $2, 'product.created', $3, $1, now(), now())`,
      id,
      tenantId,
      payload({}),
    );

    await assert.rejects(
      assertDocumentedEvents(env),
      /product\.created: data\/data must have required property 'product'/,
    );

    await rows('update outbox_events set payload = $2 where id = $1', id, payload(EVENTS['product.created'].sample));
    await assertDocumentedEvents(env);
  });
});
