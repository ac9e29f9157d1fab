import assert from 'node:assert/strict';
import { EVENTS, SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { eventBody, quotePayload } from '../../domain/events.ts';
import { SAMPLE_QUOTE } from '../../domain/event-samples.ts';
import * as build from './build.ts';
import { problemOfBody } from './event-bodies.ts';
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

  // Receivers and readers of the outbox in all tests pass this check; this proves that it detects errors.
  it('a body with an undocumented or a missing member does not match the document', () => {
    const { notes: _notes, ...quote } = quotePayload(SAMPLE_QUOTE);
    const problem = (data: object) => problemOfBody('quote.sent', eventBody('quote.sent', new Date(), data)) ?? '';

    assert.match(problem({ quote }), /must have required property 'notes'/);
    assert.match(problem({ quote: quotePayload(SAMPLE_QUOTE), margin: 1 }), /must NOT have additional properties/);
    assert.match(problem({ quote: { ...quotePayload(SAMPLE_QUOTE), margin: 1 } }), /must NOT have additional/);
  });
});
