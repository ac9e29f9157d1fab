import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { rows } from '../worker/dispatcher-world.ts';
import * as build from './build.ts';
import { awayFromTheHour } from './mail-hour.ts';
import { ownService, type Service } from './service.ts';

describe('Mail quota of a business', () => {
  let app: Service;
  before(async () => {
    app = await ownService({ RATE_LIMITS: 'on', RATE_MAIL_PER_HOUR: '3', RATE_MAIL_PER_DAY: '5' });
  });

  beforeEach(awayFromTheHour);

  const invite = ({ owner }: build.Business) =>
    app.post('/api/collaborators', { name: 'Carlos', email: `${newId()}@colaborador.test` }, owner);
  const statuses = (responses: readonly { status: number }[]) =>
    responses.map(({ status }) => status).toSorted((a, b) => a - b);

  it('an invitation beyond the hourly quota answers 429 «Demasiadas solicitudes» with Retry-After and has no effect', async () => {
    const business = await build.business();
    for (let i = 0; i < 3; i += 1) assert.equal((await invite(business)).status, 201);

    const res = await invite(business);

    const wait = Number(res.headers.get('Retry-After'));
    assert.deepEqual([res.status, res.body.error], [429, 'Demasiadas solicitudes']);
    assert.equal(res.body.reason, 'mail_quota_reached');
    assert.ok(wait > 0 && wait <= 3_600, `${wait} s`);
    const { body } = await app.get('/api/collaborators', business.owner);
    assert.equal(body.length, 1 + 3);
  });

  it('ten concurrent invitations are counted exactly', async () => {
    const business = await build.business();

    const responses = await Promise.all(Array.from({ length: 10 }, () => invite(business)));

    assert.deepEqual(statuses(responses), [201, 201, 201, 429, 429, 429, 429, 429, 429, 429]);
  });

  it('shares count too: 429 before Temporal is called', async () => {
    const business = await build.business();
    const quote = await build.quote(business.owner);
    for (let i = 0; i < 3; i += 1) await invite(business);

    const res = await app.post(`/api/quotes/${quote.id}/share`, undefined, business.owner);

    assert.deepEqual([res.status, res.body.error], [429, 'Demasiadas solicitudes']);
    assert.equal((await app.get(`/api/quotes/${quote.id}`, business.owner)).body.status, 'GENERATED');
  });

  it('the daily quota applies to any 24 hours', async () => {
    const business = await build.business();
    await rows(
      `insert into mail_counts (tenant_id, hour, mails) values ($1, date_trunc('hour', now() - interval '5 hours'), 4)`,
      business.tenantId,
    );

    const responses = [await invite(business), await invite(business)];

    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 429],
    );
    const wait = Number(responses[1]?.headers.get('Retry-After'));
    assert.ok(wait > 18 * 3_600 && wait <= 19 * 3_600, `${wait} s`);
  });

  it('mails of two days ago do not count and are deleted', async () => {
    const business = await build.business();
    await rows(
      `insert into mail_counts (tenant_id, hour, mails) values ($1, date_trunc('hour', now() - interval '3 days'), 9)`,
      business.tenantId,
    );

    const { status } = await invite(business);

    assert.equal(status, 201);
    assert.equal((await rows('select from mail_counts where tenant_id = $1', business.tenantId)).length, 1);
  });

  it('another business has its own quota', async () => {
    const [busy, other] = [await build.business(), await build.business()];
    for (let i = 0; i < 4; i += 1) await invite(busy);

    assert.equal((await invite(other)).status, 201);
  });

  it('password resets are not limited by the quota', async () => {
    const business = await build.business();
    for (let i = 0; i < 4; i += 1) await invite(business);

    const { status } = await app.post('/api/auth/forgot-password', { email: business.email });

    assert.equal(status, 200);
    const made = await rows(
      "select from mails where user_id = $1 and kind = 'password_reset' and status = 'PENDING'",
      business.userId,
    );
    assert.equal(made.length, 1);
  });
});
