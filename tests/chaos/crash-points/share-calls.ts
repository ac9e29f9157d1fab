import assert from 'node:assert/strict';
import { signals } from '../../../workflows/contract.ts';
import { eventually } from '../../eventually.ts';
import { mailsTo, share } from '../../journey/business.ts';
import type { Installation } from '../../journey/installation.ts';
import { copiesOf, type Make, prepare } from './call-world.ts';

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Mails of a quote to its client. */
export const SHARE_CALLS: Readonly<Record<string, Make>> = {
  share: async (service) => {
    const on = await prepare(service);
    return {
      ...on.call('share', 'POST', `/api/quotes/${on.quote.id}/share`),
      good: [200],
      async assertOnce(failures) {
        await assertShared(on);
        await assertMailed(service, on.quote.clientEmail, failures);
      },
      copies: () => copiesOfShares(service, on),
    };
  },
  'share with two': async (service) => {
    const on = await prepare(service);
    const [to, cc] = [`uno@${on.quote.id}.test`, `dos@${on.quote.id}.test`];
    return {
      ...on.call('share with two', 'POST', `/api/quotes/${on.quote.id}/share`, { to: [to], cc: [cc], message: 'Hola' }),
      good: [200],
      async assertOnce(failures) {
        await assertShared(on);
        const mails = await assertMailed(service, to, failures);
        for (const mail of mails) assert.deepEqual(mail.to, [to, cc]);
        assert.deepEqual(await mailsTo(service, on.quote), []);
        const sql = "select rejected from quote_shares where quote_id = $1 and status = 'SENT'";
        assert.deepEqual(await service.rows(sql, on.quote.id), [{ rejected: [] }]);
      },
      copies: () => copiesOfShares(service, on),
    };
  },
};

/** Calls of which the API knows nothing. */
export const WORKER_CALLS: Readonly<Record<string, Make>> = {
  'follow up': async (service) => {
    const on = await prepare(service);
    const { id, workflowId } = on.quote;
    await service.rows(
      "update tenants set follow_up_days = '{1}', updated_at = now() - interval '9 days' where id = $1",
      on.business.tenantId,
    );
    const res = await share(service, on.business, on.quote);
    assert.equal(res.status, 200, JSON.stringify(res.body));
    const reminder = service.temporal.workflow.getHandle(workflowId.replace('quote.', 'expiry.'));
    await eventually(async () => assert.equal((await reminder.describe()).status.name, 'RUNNING'));
    return {
      name: 'follow up',
      business: on.business,
      good: [200],
      /** The share was three days ago, so the follow-up of the first day is due. */
      async send() {
        await service.rows(
          "update quotes set shared_at = now() - interval '3 days', updated_at = now() - interval '4 days' where id = $1",
          id,
        );
        await reminder.signal(signals.reschedule);
        return { status: 200 };
      },
      async assertOnce() {
        await assertShared(on);
        const sql = 'select version, day, mail from follow_ups where quote_id = $1';
        assert.deepEqual(await service.rows(sql, id), [{ version: 1, day: 1, mail: 'SENT' }]);
      },
      copies: () => copiesOf(service, [`<followup.${id}.v1.d1@`]),
    };
  },
};

const assertShared = (on: Prepared) =>
  on.assertQuote('SENT', ['create', 'share', 'status_change'], ['quote.created', 'quote.status_changed', 'quote.sent']);

async function assertMailed(service: Installation, to: string, failures: number) {
  const mails = (await service.parts.inbox.messages()).filter((mail) => mail.to.includes(to));
  const shares = new Set(mails.map(({ messageId }) => messageId));
  assert.ok(
    shares.size >= 1 && shares.size <= 1 + failures,
    `${failures} failures, mails: ${mails.map(({ at, messageId }) => `${at} ${messageId}`).join(', ')}`,
  );
  return mails;
}

async function copiesOfShares(service: Installation, { quote }: Prepared): Promise<readonly number[]> {
  const shares = await service.rows("select id from quote_shares where quote_id = $1 and status = 'SENT'", quote.id);
  return copiesOf(
    service,
    shares.map(({ id }) => `<share.${String(id)}@`),
  );
}
