import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createExpiryActivities } from '../../activities/expiry.ts';
import { createFollowUpActivities } from '../../activities/follow-ups.ts';
import { createActivityPermits } from '../../activities/permits.ts';
import { createRecordActivities } from '../../activities/records.ts';
import { readWorkerConfig } from '../../adapters/config.ts';
import { createMailer } from '../../adapters/mail/transport.ts';
import { newId } from '../../db/ids.ts';
import { followUpTimes } from '../../domain/follow-ups.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { needs, testStack } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';

needs('temporal', 'storage', 'inbox');

const DAY_MS = 24 * 60 * 60 * 1000;
const timeZone = 'America/Mexico_City';

/** Follow-ups as PostgreSQL decides them. Workflow tests tell when they are asked for. */
describe('Follow-ups of a shared quote', () => {
  let steps: ReturnType<typeof createExpiryActivities> & ReturnType<typeof createFollowUpActivities>;
  let business: build.Business;
  let given: Parameters<typeof createExpiryActivities>[0];

  before(async () => {
    const { deps } = await service();
    const config = readWorkerConfig((await testStack()).env);
    given = {
      ...deps,
      mailer: createMailer(config),
      mailFrom: config.MAIL_FROM,
      mailQuota: null,
      publicUrl: deps.config.PUBLIC_URL,
      permits: createActivityPermits(),
    };
    steps = { ...createExpiryActivities(given), ...createFollowUpActivities(given) };
    business = await build.business({ followUpDays: [2, 5, 9] });
  });

  /** A quote that was shared so many days ago; nothing else about it has changed since. */
  async function shared({ daysAgo = 0, days = 30, own = business } = {}) {
    const sharedAt = new Date(Date.now() - daysAgo * DAY_MS);
    const expiresAt = new Date(Date.now() + days * DAY_MS);
    const { id, client, publicToken } = await build.sentQuote(own, { expiresAt: expiresAt.toISOString() });
    await rows(
      'update quotes set shared_at = $2, shared_version = 1, share_id = $3, updated_at = $2 where id = $1',
      id,
      sharedAt,
      newId(),
    );
    await rows('update tenants set updated_at = $2 where id = $1', own.tenantId, new Date(Date.now() - 90 * DAY_MS));
    const ref = { tenantId: own.tenantId, quoteId: id };
    return { id, client, publicToken, sharedAt, expiresAt, ref };
  }
  type Shared = Awaited<ReturnType<typeof shared>>;

  const timesOf = ({ sharedAt, expiresAt }: Shared, followUpDays: readonly number[]) =>
    followUpTimes({ sharedAt, expiresAt, followUpDays, timeZone, remindAt: null }).map(({ day, at }) => ({
      day,
      at: at.toISOString(),
    }));
  const due = async ({ ref }: Shared) => (await steps.planExpiry(ref))?.followUps?.due;
  const run = <Result>(step: () => Promise<Result>): Promise<Result> =>
    new MockActivityEnvironment({ scheduledTimestampMs: Date.now() }).run<[], Result, typeof step>(step);
  const stored = (quoteId: string) =>
    rows('select version, day, mail from follow_ups where quote_id = $1 order by version, day', quoteId);

  /** Claims the first follow-up that is due, and sends its mail. */
  async function followUp(quote: Shared, meanwhile: () => Promise<unknown> = async () => {}) {
    const [first] = (await due(quote)) ?? [];
    assert.ok(first, 'none is due');
    const followed = { ...quote.ref, version: 1, day: first.day };
    await steps.takeFollowUp({ ...followed, at: first.at });
    await meanwhile();
    const result = await run(() => steps.sendFollowUpMail(followed));
    await steps.closeFollowUpMail({ ...followed, mail: result.mailed ? 'SENT' : 'SKIPPED' });
    const mails = (await (await testStack()).inbox.messages()).filter(({ messageId }) =>
      messageId?.startsWith(`<followup.${quote.id}.`),
    );
    return { first, followed, mails };
  }

  it('are due at 10:00 on each day of the setting, and shown among what is ahead', async () => {
    const quote = await shared();

    assert.deepEqual(await due(quote), timesOf(quote, [2, 5, 9]));

    const records = createRecordActivities((await service()).deps);
    const names = (await records.readLifecycleState(quote.ref))?.upcoming?.map(({ name }) => name);
    assert.deepEqual(names, [
      'Seguimiento al cliente',
      'Seguimiento al cliente',
      'Seguimiento al cliente',
      'Recordatorio al cliente',
      'Aviso de que faltan 24 horas para que venza',
    ]);
  });

  it('are none without the setting, before a share, and after a revision until it is shared', async () => {
    const plain = await shared({ own: await build.business() });
    const revised = await shared();
    const { id, publicToken: _token } = await build.sentQuote(business);
    await rows('update quotes set version = 2 where id = $1', revised.id);

    assert.equal(await due(plain), undefined);
    assert.equal(await due(revised), undefined);
    assert.equal((await steps.planExpiry({ tenantId: business.tenantId, quoteId: id }))?.followUps, undefined);

    await rows('update quotes set shared_version = 2 where id = $1', revised.id);
    assert.deepEqual(await due(revised), timesOf(revised, [2, 5, 9]));
  });

  it('are neither after the expiry nor on the day of the reminder', async () => {
    const quote = await shared({ days: 8 });

    const days = (await due(quote))?.map(({ day }) => day);

    assert.deepEqual(days, [2]);
  });

  it('follow a changed setting; those whose time was past at the change are none', async () => {
    const own = await build.business({ followUpDays: [9] });
    const quote = await shared({ own, daysAgo: 4 });
    assert.deepEqual(await due(quote), timesOf(quote, [9]));

    await build.patchTenant(own, { followUpDays: [1, 8], updatedAt: new Date() });

    assert.deepEqual(await due(quote), timesOf(quote, [8]));
  });

  it('mail the client in the thread of the share, with ways to stop', async () => {
    const own = await build.business({ followUpDays: [2] });
    const quote = await shared({ own, daysAgo: 3 });

    const { mails, followed } = await followUp(quote);
    assert.deepEqual(await run(() => steps.sendFollowUpMail(followed)), { mailed: false });

    const [mail, ...more] = mails;
    const [{ share_id: shareId }] = (await rows('select share_id from quotes where id = $1', quote.id)) as [
      { share_id: string },
    ];
    const stop = `${(await service()).deps.config.PUBLIC_URL}/p/${quote.publicToken}/stop-reminders`;
    assert.equal(more.length, 0);
    assert.deepEqual(mail?.to, [quote.client.email]);
    assert.match(mail?.headers['in-reply-to'] ?? '', new RegExp(`^<share\\.${shareId}@`));
    assert.match(mail?.headers['reply-to'] ?? '', new RegExp(own.email));
    assert.equal(mail?.headers['list-unsubscribe'], `<${stop}>`);
    assert.equal(mail?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
    assert.ok(mail?.text?.includes(stop), mail?.text ?? '');
    assert.ok(mail?.html?.includes(`href="${stop}"`));
    assert.deepEqual(await stored(quote.id), [{ version: 1, day: 2, mail: 'SENT' }]);
    assert.equal(await due(quote), undefined);
  });

  it('mail the accepted `to` of the last share, and not its `cc`, even of a client without an address', async () => {
    const own = await build.business({ followUpDays: [2] });
    const quote = await shared({ own, daysAgo: 3 });
    const [one, bad, copy] = ['uno', 'malo', 'copia'].map((name) => ({ name, address: `${name}@${quote.id}.test` }));
    await rows(
      `insert into quote_shares (id, tenant_id, quote_id, client_id, recipients, status, rejected, closed_at)
       select share_id, tenant_id, id, client_id, $2, 'SENT', '{0}', now() from quotes where id = $1`,
      quote.id,
      JSON.stringify({ to: [bad, one], cc: [copy] }),
    );
    await rows('update clients set email = null where id = $1', quote.client.id);

    const { mails } = await followUp(quote);

    assert.deepEqual(
      mails.map(({ to }) => to),
      [[one?.address]],
    );
  });

  it('mail once after a worker was away on two days: the last, and the one before is skipped', async () => {
    const quote = await shared({ daysAgo: 6 });

    await followUp(quote);
    const { mails } = await followUp(quote);

    assert.equal(mails.length, 1);
    assert.deepEqual((await stored(quote.id)).slice(0, 2), [
      { version: 1, day: 2, mail: 'SKIPPED' },
      { version: 1, day: 5, mail: 'SENT' },
    ]);
  });

  it('over the mail quota of the business are not sent, and the attempt is repeated', async () => {
    const own = await build.business({ followUpDays: [2] });
    const quotes = [await shared({ own, daysAgo: 3 }), await shared({ own, daysAgo: 3 })] as const;
    const limited = createFollowUpActivities({ ...given, mailQuota: { perHour: 1, perDay: 1 } });
    const mail = async (quote: Shared) => {
      const [first] = (await due(quote)) ?? [];
      assert.ok(first, 'none is due');
      await steps.takeFollowUp({ ...quote.ref, version: 1, ...first });
      return run(() => limited.sendFollowUpMail({ ...quote.ref, version: 1, day: first.day }));
    };

    assert.deepEqual(await mail(quotes[0]), { mailed: true });
    await assert.rejects(
      mail(quotes[1]),
      (error) =>
        error instanceof ApplicationFailure && error.type === 'MailQuotaReached' && error.nonRetryable !== true,
    );
  });

  it('mail nothing when the reminder is due as well, which follows', async () => {
    const own = await build.business({ followUpDays: [2], reminderDaysBefore: 3 });
    const quote = await shared({ own, daysAgo: 6, days: 1 });

    const { mails } = await followUp(quote);

    assert.deepEqual(mails, []);
    assert.deepEqual(await stored(quote.id), [{ version: 1, day: 2, mail: 'SKIPPED' }]);
    const schedule = await steps.planExpiry(quote.ref);
    assert.ok(schedule?.remindAt && Date.parse(schedule.remindAt) < Date.now(), schedule?.remindAt ?? 'no reminder');
  });

  const app = () => service();
  for (const [what, happens] of [
    ['was accepted', ({ id }: Shared) => rows("update quotes set status = 'ACCEPTED' where id = $1", id)],
    ['was revised', ({ id }: Shared) => rows('update quotes set version = 2 where id = $1', id)],
    ['expired', ({ id }: Shared) => rows("update quotes set expires_at = now() - interval '1 s' where id = $1", id)],
    ['was shared again', ({ id }: Shared) => rows('update quotes set shared_at = now() where id = $1', id)],
    [
      'got a change request',
      async ({ publicToken }: Shared) =>
        (await app()).post(`/api/portal/${publicToken}/request-changes`, { message: 'Cambios', version: 1 }),
    ],
    [
      'has a client who stopped the reminders',
      async ({ publicToken }: Shared) =>
        (await app()).request('POST', `/p/${publicToken}/stop-reminders`, {
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: 'List-Unsubscribe=One-Click',
        }),
    ],
    [
      'is of a business on FREE by then',
      ({ ref }: Shared) => rows("update tenants set plan = 'FREE' where id = $1", ref.tenantId),
    ],
  ] as const) {
    it(`send nothing when the quote ${what}, before the claim or after it`, async () => {
      const own = await build.business({ followUpDays: [2] });
      const before = await shared({ own, daysAgo: 3 });
      const after = await shared({ own, daysAgo: 3 });
      const [first] = (await due(before)) ?? [];
      assert.ok(first);

      const { mails } = await followUp(after, () => happens(after));
      await happens(before);
      const followed = { ...before.ref, version: 1, day: first.day };
      await steps.takeFollowUp({ ...followed, at: first.at });
      const late = await run(() => steps.sendFollowUpMail(followed));

      assert.deepEqual([mails, late], [[], { mailed: false }]);
    });
  }

  it('count again from the next share of the same version, those that were sent excepted', async () => {
    const quote = await shared({ daysAgo: 3 });
    await followUp(quote);
    const sharedAt = new Date();
    await rows('update quotes set shared_at = $2, share_id = $3 where id = $1', quote.id, sharedAt, newId());

    assert.deepEqual(await due(quote), timesOf({ ...quote, sharedAt }, [5, 9]));
  });

  it('a share records when, and of which version', async () => {
    const { deps } = await service();
    const { id } = await build.quote(business.owner);
    const shareId = newId();
    const by = { kind: 'user', userId: business.userId } as const;
    const records = createRecordActivities(deps);
    const ref = { tenantId: business.tenantId, quoteId: id };
    await run(() => records.markQuoteSent({ quote: ref, shareId, by, requestId: null }));

    const [row] = await rows('select shared_version, share_id from quotes where id = $1', id);

    assert.deepEqual(row, { shared_version: 1, share_id: shareId });
    const shownAt = (await records.readLifecycleState(ref))?.sharedAt ?? '';
    assert.ok(Date.now() - Date.parse(shownAt) < 60_000, shownAt);
  });
});
