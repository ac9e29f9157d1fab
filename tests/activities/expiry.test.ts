import assert from 'node:assert/strict';
import { createExpiryActivities } from '../../activities/expiry.ts';
import { createRecordActivities } from '../../activities/records.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { expiryMoments } from '../../domain/expiry.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs, testStack } from '../stack.ts';
import { attempts } from './attempts.ts';
import { isNonRetryable } from './automation-world.ts';
import { rows } from '../worker/dispatcher-world.ts';
import { createActivityPermits } from '../../activities/permits.ts';

needs('temporal', 'storage', 'inbox');

const DAY_MS = 24 * 60 * 60 * 1000;

/** The two moments before a quote expires, as PostgreSQL decides them. Workflow tests tell when they are asked for. */
describe('The moments before a SENT quote expires', () => {
  let steps: ReturnType<typeof createExpiryActivities>;
  let business: build.Business;

  before(async () => {
    const { deps } = await service();
    const config = readWorkerConfig((await testStack()).env);
    const mailer = createMailer(config);
    const publicUrl = deps.config.PUBLIC_URL;
    steps = createExpiryActivities({
      ...deps,
      mailer,
      mailFrom: config.MAIL_FROM,
      mailQuota: null,
      publicUrl,
      permits: createActivityPermits(),
    });
    business = await build.business();
  });

  /** A quote that was just sent, with so many days until it expires. */
  async function sent({ days = 15, own = business, clientFields = {} } = {}) {
    const app = await service();
    const client = await build.client(own.owner, clientFields);
    const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString();
    const { id, quoteNumber } = await build.quote(own.owner, { clientId: client.id, expiresAt });
    const answer = await app.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, own.owner);
    assert.equal(answer.status, 200);
    return { id, quoteNumber, expiresAt, client, ref: { tenantId: own.tenantId, quoteId: id } };
  }

  /** As it happens when an answer is lost, or when a second run does the same. */
  const twice = async (step: () => Promise<unknown>) => {
    await Promise.all([step(), step()]);
    await step();
  };
  const run = <Result>(step: () => Promise<Result>, scheduledMsAgo = 0): Promise<Result> => {
    const env = new MockActivityEnvironment({ scheduledTimestampMs: Date.now() - scheduledMsAgo });
    return env.run<[], Result, typeof step>(step);
  };

  const momentsOf = (quoteId: string, expiresAt: string, reminderDaysBefore = 3) => {
    const timeZone = 'America/Mexico_City';
    const moments = expiryMoments({ quoteId, expiresAt: new Date(expiresAt), reminderDaysBefore, timeZone });
    return { remindAt: moments.remindAt.toISOString(), expiringAt: moments.expiringAt.toISOString() };
  };
  const daysBefore = (iso: string, days: number) => new Date(Date.parse(iso) - days * DAY_MS).toISOString();
  const notificationsOf = (quoteId: string) =>
    rows('select user_id, type from notifications where event_id like $1', `expiry.${quoteId}.%`);
  const announced = async (quoteId: string) =>
    (await rows("select 1 from outbox_events where quote_id = $1 and type = 'quote.expiring'", quoteId)).length;
  const mailsTo = async ({ email }: { email: string }) =>
    (await (await testStack()).inbox.messages()).filter(({ to }) => to.includes(email));

  it('are the morning of the setting and one day before the end', async () => {
    const { ref, id, expiresAt, quoteNumber } = await sent();
    const { remindAt, expiringAt } = momentsOf(id, expiresAt);

    assert.deepEqual(await steps.planExpiry(ref), {
      quoteNumber,
      version: 1,
      expiresAt,
      remindAt,
      mailWaits: false,
      expiringAt,
      expiredAt: expiresAt,
    });
  });

  it('have no reminder when that moment was past already when the quote was sent', async () => {
    const { ref, id, expiresAt } = await sent({ days: 2 });

    const plan = await steps.planExpiry(ref);

    assert.deepEqual([plan?.remindAt, plan?.expiringAt], [null, momentsOf(id, expiresAt).expiringAt]);
  });

  it('keep a reminder that came due while nobody worked', async () => {
    const { ref, id, expiresAt } = await sent({ days: 2 });
    await rows("update quotes set updated_at = now() - interval '10 days' where id = $1", id);

    assert.equal((await steps.planExpiry(ref))?.remindAt, momentsOf(id, expiresAt).remindAt);
  });

  it('move with the setting, and without a reminder when that moment is past then', async () => {
    const own = await build.business();
    const app = await service();
    const { ref, id, expiresAt } = await sent({ own });
    await steps.planExpiry(ref);
    const remindBefore = async (reminderDaysBefore: number) => {
      await app.request('PUT', '/api/settings', {
        body: { companyName: 'Acme', email: own.email, reminderDaysBefore },
        headers: own.owner,
      });
      return (await steps.planExpiry(ref))?.remindAt;
    };

    assert.equal(await remindBefore(7), momentsOf(id, expiresAt, 7).remindAt);
    assert.equal(await remindBefore(20), null);
    assert.equal(await remindBefore(2), momentsOf(id, expiresAt, 2).remindAt);
  });

  it('move with the time zone, and the end of the quote stays', async () => {
    const own = await build.business();
    const app = await service();
    const { ref, id, expiresAt } = await sent({ own });
    await steps.planExpiry(ref);

    for (const timeZone of ['Asia/Kathmandu', 'Pacific/Kiritimati', 'America/Santiago']) {
      await app.request('PUT', '/api/settings', { body: { timeZone }, headers: own.owner });

      const { remindAt } = expiryMoments({
        quoteId: id,
        expiresAt: new Date(expiresAt),
        reminderDaysBefore: 3,
        timeZone,
      });
      const plan = await steps.planExpiry(ref);
      assert.deepEqual([plan?.expiresAt, plan?.remindAt], [expiresAt, remindAt.toISOString()]);
    }
  });

  it('are timed anew where they were timed before businesses had a time zone', async () => {
    const { ref, id, expiresAt } = await sent();
    const before = daysBefore(expiresAt, 3);
    await steps.planExpiry(ref);
    await rows('update expiry_reminders set time_zone = null, remind_at = $2 where quote_id = $1', id, before);

    assert.equal((await steps.planExpiry(ref))?.remindAt, momentsOf(id, expiresAt).remindAt);
  });

  it('move with the expiry', async () => {
    const { ref, id } = await sent();
    await steps.planExpiry(ref);
    const expiresAt = new Date(Date.now() + 40 * DAY_MS).toISOString();
    const app = await service();
    assert.equal((await app.patch(`/api/quotes/${id}`, { expiresAt }, business.owner)).status, 200);

    const plan = await steps.planExpiry(ref);

    const { remindAt, expiringAt } = momentsOf(id, expiresAt);
    assert.deepEqual([plan?.remindAt, plan?.expiringAt], [remindAt, expiringAt]);
  });

  for (const [what, sql] of [
    ['is GENERATED', "update quotes set status = 'GENERATED' where id = $1"],
    ['is ACCEPTED', "update quotes set status = 'ACCEPTED' where id = $1"],
    ['has expired', "update quotes set expires_at = now() - interval '1 minute' where id = $1"],
  ] as const) {
    it(`are none for a quote that ${what}, and a timer that fires all the same changes nothing`, async () => {
      const { ref, id, client } = await sent();
      const plan = await steps.planExpiry(ref);
      const moment = { ...ref, version: 1, at: plan?.remindAt ?? '' };
      await rows(sql, id);

      const after = await steps.planExpiry(ref);
      assert.deepEqual([after?.remindAt ?? null, after?.expiringAt ?? null], [null, null]);
      await steps.takeReminder(moment);
      await steps.announceExpiring({ ...moment, at: plan?.expiringAt ?? '' });
      await run(() => steps.sendExpiryMail({ ...ref, version: 1 }));

      assert.deepEqual([await notificationsOf(id), await announced(id), await mailsTo(client)], [[], 0, []]);
    });
  }

  it('remind once for each version: one notification to the creator and one mail to the client', async () => {
    const { ref, id, client, quoteNumber } = await sent();
    const plan = await steps.planExpiry(ref);
    const moment = { ...ref, version: 1, at: plan?.remindAt ?? '' };

    await twice(() => steps.takeReminder(moment));
    assert.equal((await steps.planExpiry(ref))?.mailWaits, true);
    assert.deepEqual(await run(() => steps.sendExpiryMail({ ...ref, version: 1 })), { mailed: true });
    await steps.closeExpiryMail({ ...ref, version: 1, mail: 'SENT' });
    assert.deepEqual(await run(() => steps.sendExpiryMail({ ...ref, version: 1 })), { mailed: false });

    assert.deepEqual(await notificationsOf(id), [{ user_id: business.userId, type: 'quote_expiring' }]);
    const [mail, ...more] = await mailsTo(client);
    assert.equal(more.length, 0);
    assert.match(mail?.subject ?? '', new RegExp(`^La cotización COT-${quoteNumber} de Acme vence el `));
    assert.match(mail?.messageId ?? '', new RegExp(`<expiry\\.${id}\\.v1@`));
    assert.match(mail?.text ?? '', /está vigente hasta el/);
    const after = await steps.planExpiry(ref);
    assert.deepEqual([after?.remindAt, after?.mailWaits], [null, false]);
  });

  /** The mail of a quote that is due, with the address of its page. */
  async function reminded(own: build.Business) {
    const app = await service();
    const { ref, id, client } = await sent({ own });
    const plan = await steps.planExpiry(ref);
    await steps.takeReminder({ ...ref, version: 1, at: plan?.remindAt ?? '' });
    await run(() => steps.sendExpiryMail({ ...ref, version: 1 }));
    const { url } = (await app.get(`/api/quotes/${id}/link`, own.owner)).body;
    const [mail] = await mailsTo(client);
    return { mail, url: String(url) };
  }

  it('link to the client’s page in both parts of the mail', async () => {
    const { mail, url } = await reminded(await build.business());

    assert.ok(mail?.text?.includes(`Ver cotización:\n${url}\n`), mail?.text ?? undefined);
    assert.ok(mail?.html?.includes(`href="${url}"`));
  });

  it('link to nothing on the FREE plan, which has no page', async () => {
    const { mail } = await reminded(await build.business({ plan: 'FREE' }));

    assert.doesNotMatch(mail?.text ?? '', /https?:/);
    assert.doesNotMatch(mail?.html ?? '', /<a /);
  });

  it('do not remind at a moment that was moved, nor of a version that was revised', async () => {
    const { ref, id } = await sent();
    const plan = await steps.planExpiry(ref);

    await steps.takeReminder({ ...ref, version: 1, at: daysBefore(plan?.expiresAt ?? '', 5) });
    await rows('update quotes set version = 2 where id = $1', id);
    await steps.takeReminder({ ...ref, version: 1, at: plan?.remindAt ?? '' });

    assert.deepEqual(await notificationsOf(id), []);
    assert.equal((await steps.planExpiry(ref))?.version, 2);
  });

  it('mail nobody when the quote was answered between the reminder and its mail, or the client has no address', async () => {
    const answered = await sent();
    const mute = await sent({ clientFields: { email: null } });
    for (const { ref } of [answered, mute]) {
      const plan = await steps.planExpiry(ref);
      await steps.takeReminder({ ...ref, version: 1, at: plan?.remindAt ?? '' });
    }
    await rows("update quotes set status = 'ACCEPTED' where id = $1", answered.id);

    for (const { ref } of [answered, mute]) {
      assert.deepEqual(await run(() => steps.sendExpiryMail({ ...ref, version: 1 })), { mailed: false });
    }
    assert.equal((await notificationsOf(mute.id)).length, 1);
  });

  it('mail nobody after a revision for another client, who was never sent the quote', async () => {
    const { ref, id } = await sent();
    const { id: clientId } = await build.client(business.owner);
    const body = { clientId, items: [build.ITEM] };
    await (await service()).post(`/api/quotes/${id}/revise`, body, business.owner);
    const plan = await steps.planExpiry(ref);
    await steps.takeReminder({ ...ref, version: 2, at: plan?.remindAt ?? '' });

    assert.deepEqual(await run(() => steps.sendExpiryMail({ ...ref, version: 2 })), { mailed: false });
  });

  it('give a mail up that is refused', async () => {
    const { ref } = await sent({ clientFields: { email: `reject+550@${business.tenantId}.test` } });
    const plan = await steps.planExpiry(ref);
    await steps.takeReminder({ ...ref, version: 1, at: plan?.remindAt ?? '' });

    await assert.rejects(
      run(() => steps.sendExpiryMail({ ...ref, version: 1 })),
      isNonRetryable('SmtpRefused'),
    );
  });

  it('end a mail as SmtpMaybeSent when its attempt was lost after it had mailed and the quote was answered then', async () => {
    const { ref, id, client } = await sent();
    const plan = await steps.planExpiry(ref);
    await steps.takeReminder({ ...ref, version: 1, at: plan?.remindAt ?? '' });
    const attempt = attempts();
    const mail = () => steps.sendExpiryMail({ ...ref, version: 1 });

    await attempt(mail);
    await rows("update quotes set status = 'ACCEPTED' where id = $1", id);
    await assert.rejects(attempt(mail), isNonRetryable('SmtpMaybeSent'));

    assert.equal((await mailsTo(client)).length, 1);
  });

  it('announce once for each version that it expires', async () => {
    const { ref, id } = await sent({ days: 0.5 });
    const plan = await steps.planExpiry(ref);
    const moment = { ...ref, version: 1, at: plan?.expiringAt ?? '' };

    await twice(() => steps.announceExpiring(moment));

    assert.equal(await announced(id), 1);
    assert.equal((await steps.planExpiry(ref))?.expiringAt, null);
  });

  it('announce the end once for each expiry, and nothing for one that was moved', async () => {
    const { ref, id, expiresAt } = await sent();
    const expired = async () =>
      (await rows("select 1 from outbox_events where quote_id = $1 and type = 'quote.expired'", id)).length;

    await steps.announceExpired({ ...ref, version: 1, at: daysBefore(expiresAt, 1) });
    assert.equal(await expired(), 0);

    await twice(() => steps.announceExpired({ ...ref, version: 1, at: expiresAt }));
    assert.equal(await expired(), 1);
    assert.equal((await steps.planExpiry(ref))?.expiredAt, null);

    await rows("update quotes set expires_at = now() - interval '1 minute' where id = $1", id);
    const at = (await steps.planExpiry(ref))?.expiredAt ?? '';
    await steps.announceExpired({ ...ref, version: 1, at });
    assert.deepEqual([await expired(), await steps.planExpiry(ref)], [2, undefined]);
  });

  it('announce no end of a quote that was answered', async () => {
    const { ref, id, expiresAt } = await sent();
    await rows("update quotes set status = 'ACCEPTED' where id = $1", id);

    await steps.announceExpired({ ...ref, version: 1, at: expiresAt });

    assert.equal(await steps.planExpiry(ref), undefined);
    assert.deepEqual(await rows("select 1 from outbox_events where quote_id = $1 and type = 'quote.expired'", id), []);
  });

  it('announce nothing for an end that was moved', async () => {
    const { ref, id, expiresAt } = await sent();
    await steps.planExpiry(ref);

    await steps.announceExpiring({ ...ref, version: 1, at: daysBefore(expiresAt, 2) });

    assert.equal(await announced(id), 0);
  });

  it('show in what the lifecycle knows, while they are ahead', async () => {
    const { deps } = await service();
    const records = createRecordActivities(deps);
    const { ref, id, expiresAt } = await sent();
    const { ref: late, id: lateId, expiresAt: end } = await sent({ days: 2 });

    assert.deepEqual((await records.readLifecycleState(ref))?.upcoming, [
      { name: 'Recordatorio al cliente', at: momentsOf(id, expiresAt).remindAt },
      { name: 'Aviso de que faltan 24 horas para que venza', at: momentsOf(id, expiresAt).expiringAt },
    ]);
    assert.deepEqual((await records.readLifecycleState(late))?.upcoming, [
      { name: 'Aviso de que faltan 24 horas para que venza', at: momentsOf(lateId, end).expiringAt },
    ]);
  });
});
