import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/reminders', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const messages = (res: { body: { message: string }[] }) => res.body.map(({ message }) => message);

  it('answers 200 with an array, latest due first', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    const past = new Date('2026-01-01T00:00:00Z');
    const fired = await build.reminder(business, quote.id, {
      message: 'a',
      dueAt: past,
      status: 'FIRED',
      firedAt: past,
      createdAt: past,
    });
    await build.reminder(business, quote.id, { message: 'b' });

    const res = await app.get('/api/reminders', business.owner);

    assert.equal(res.status, 200);
    assert.deepEqual(messages(res), ['b', 'a']);
    assert.deepEqual(res.body[1], {
      id: fired.id,
      quoteId: quote.id,
      automationId: null,
      message: 'a',
      dueAt: '2026-01-01T00:00:00.000Z',
      status: 'FIRED',
      firedAt: '2026-01-01T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    assert.deepEqual([res.body[0].status, res.body[0].firedAt], ['PENDING', null]);
  });

  it('has own reminders for a collaborator and all for an owner', async () => {
    const business = await build.business();
    const { as, userId } = await build.member(business);
    const quote = await build.quote(business.owner);
    await build.reminder(business, quote.id, { message: 'del dueño' });
    await build.reminder({ ...business, userId }, quote.id, { message: 'mío' });

    assert.deepEqual(messages(await app.get('/api/reminders', as)), ['mío']);
    assert.equal((await app.get('/api/reminders', business.owner)).body.length, 2);
  });
});
