import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { violatedConstraint } from '../../db/violated-constraint.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/notifications', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const titles = (res: { body: { data: { title: string }[] } }) => res.body.data.map(({ title }) => title);

  it('answers 200 {data, unreadCount} with the whole record', async () => {
    const business = await build.business();
    const { id } = await build.notification(business, {
      metadata: '{"quoteId":"c1","quoteNumber":7}',
      createdAt: at(1),
    });

    const res = await app.get('/api/notifications', business.owner);

    assert.equal(res.status, 200);
    assert.deepEqual(res.body, {
      data: [
        {
          id,
          type: 'quote_won',
          title: 'Cotización ganada',
          body: 'COT-1',
          metadata: { quoteId: 'c1', quoteNumber: 7 },
          readAt: null,
          createdAt: '2026-01-01T00:01:00.000Z',
        },
      ],
      unreadCount: 1,
    });
  });

  it('lists newest first in pages of 20, and unreadCount includes other pages', async () => {
    const business = await build.business();
    for (let i = 1; i <= 22; i += 1) await build.notification(business, { title: `n${i}`, createdAt: at(i) });

    const first = await app.get('/api/notifications', business.owner);
    const second = await app.get('/api/notifications?page=2', business.owner);

    assert.equal(first.body.data.length, 20);
    assert.equal(first.body.data[0].title, 'n22');
    assert.deepEqual(titles(second), ['n2', 'n1']);
    assert.equal(second.body.unreadCount, 22);
  });

  it('lists only unread notifications with unread=true, and all with any other value', async () => {
    const business = await build.business();
    await build.notification(business, { title: 'leída', readAt: new Date() });
    await build.notification(business, { title: 'nueva' });

    assert.deepEqual(titles(await app.get('/api/notifications?unread=true', business.owner)), ['nueva']);
    assert.equal((await app.get('/api/notifications?unread=false', business.owner)).body.data.length, 2);
    assert.equal((await app.get('/api/notifications', business.owner)).body.unreadCount, 1);
  });

  it('shows a collaborator their own, on the FREE plan too, and nobody else’s', async () => {
    const business = await build.business({ plan: 'FREE' });
    const { as, userId } = await build.member(business);
    await build.notification(business, { title: 'del dueño' });
    await build.notification({ ...business, userId }, { title: 'mía' });

    const res = await app.get('/api/notifications', as);

    assert.deepEqual(titles(res), ['mía']);
    assert.equal(res.body.unreadCount, 1);
  });
});

describe('PATCH /api/notifications/:id/read', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const read = (id: string, as: build.Business['owner']) =>
    app.request('PATCH', `/api/notifications/${id}/read`, { headers: as });

  it('answers 200 {success: true} and sets readAt to now; a second time changes nothing', async () => {
    const business = await build.business();
    const { id } = await build.notification(business);

    const res = await read(id, business.owner);

    assert.deepEqual([res.status, res.body], [200, { success: true }]);
    const first = await app.get('/api/notifications', business.owner);
    assert.ok(Date.now() - Date.parse(first.body.data[0].readAt) < 60_000);
    assert.equal((await read(id, business.owner)).status, 200);
    assert.deepEqual((await app.get('/api/notifications', business.owner)).body, first.body);
  });
});

describe('POST /api/notifications/mark-all-read', () => {
  it('answers 200 {updated} with the number of the caller’s unread notifications', async () => {
    const app = await service();
    const business = await build.business();
    const { as, userId } = await build.member(business);
    await build.notification(business);
    await build.notification(business);
    await build.notification(business, { readAt: new Date() });
    await build.notification({ ...business, userId });

    const res = await app.post('/api/notifications/mark-all-read', undefined, business.owner);

    assert.deepEqual([res.status, res.body], [200, { updated: 2 }]);
    assert.equal((await app.get('/api/notifications', business.owner)).body.unreadCount, 0);
    assert.equal((await app.get('/api/notifications', as)).body.unreadCount, 1);
  });

  it('answers 200 {updated: 0} when none is unread', async () => {
    const app = await service();

    const res = await app.post('/api/notifications/mark-all-read', undefined, (await build.business()).owner);

    assert.deepEqual(res.body, { updated: 0 });
  });
});

describe('notifications', () => {
  it('are unique per event and user', async () => {
    const business = await build.business();
    const eventId = newId();
    await build.notification(business, { eventId });

    await assert.rejects(
      build.notification(business, { eventId }),
      (error) => violatedConstraint(error) === 'notifications_tenant_id_user_id_event_id_unique',
    );
  });
});
