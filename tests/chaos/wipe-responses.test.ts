import assert from 'node:assert/strict';
import { signals } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { install, type Installation } from '../installation.ts';
import { type Business, makeQuote, type Quote, register, share } from '../journey/business.ts';
import { assertMails, copiesOf, copiesOfRows } from './crash-points/call-world.ts';
import { report } from './report.ts';

/** Milliseconds until the reconciler has started all executions again and their work is done. */
const ALL_DONE_MS = 180_000;

/** Everything that follows from a client's response, or from its absence, waits in Temporal when its store is lost. */
describe("after the loss of Temporal's store with mails of responses waiting", function () {
  this.timeout(600_000);
  let service: Installation;
  let business: Business;

  before(async () => {
    // A separate namespace, which a new store does not have.
    service = await install({ settings: { TEMPORAL_NAMESPACE: 'cotizador' } });
    business = await register(service);
  });
  after(() => service.remove());

  async function sentQuote(): Promise<Quote> {
    const quote = await makeQuote(service, business);
    await service.http.patch(`/api/quotes/${quote.id}/status`, { status: 'SENT' }, business.owner);
    return quote;
  }

  async function post(path: string, body: object, as = {}): Promise<void> {
    const { status, body: response } = await service.http.post(path, body, as);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(response)}`);
  }

  const expiryRun = ({ workflowId }: Quote) =>
    service.temporal.workflow.getHandle(workflowId.replace('quote.', 'expiry.'));
  const isRunning = (quote: Quote) =>
    eventually(async () => assert.equal((await expiryRun(quote).describe()).status.name, 'RUNNING'));
  const followUpOf = ({ id }: Quote) => service.rows('select day, mail from follow_ups where quote_id = $1', id);
  const expiredOf = ({ id }: Quote) =>
    service.rows("select 1 from outbox_events where quote_id = $1 and type = 'quote.expired'", id);

  /** A shared quote whose follow-up of the first day is claimed, and whose mail is not sent. */
  async function followedUp(): Promise<Quote> {
    await service.rows(
      "update tenants set follow_up_days = '{1}', updated_at = now() - interval '9 days' where id = $1",
      business.tenantId,
    );
    const quote = await makeQuote(service, business);
    const { status, body } = await share(service, business, quote);
    assert.equal(status, 200, JSON.stringify(body));
    await isRunning(quote);
    return quote;
  }
  async function letFollowUpBeDue(quote: Quote): Promise<void> {
    await service.rows(
      "update quotes set shared_at = now() - interval '3 days', updated_at = now() - interval '4 days' where id = $1",
      quote.id,
    );
    await expiryRun(quote).signal(signals.reschedule);
    await eventually(async () => assert.deepEqual(await followUpOf(quote), [{ day: 1, mail: 'PENDING' }]));
  }

  it('mails of an acceptance, a rejection, a change request, a reply and a follow-up arrive once, and the expiry is announced once', async () => {
    const [accepted, rejected, asked, written, ended] = [
      await sentQuote(),
      await sentQuote(),
      await sentQuote(),
      await sentQuote(),
      await sentQuote(),
    ];
    const followed = await followedUp();
    await isRunning(ended);
    service.parts.inbox.setMode('hang');
    const signer = { signerName: 'Laura', signerEmail: accepted.clientEmail, version: 1 };
    await post(`/api/portal/${accepted.publicToken}/accept`, signer);
    await post(`/api/portal/${rejected.publicToken}/reject`, { reason: 'Muy caro' });
    await post(`/api/portal/${asked.publicToken}/request-changes`, { message: '¿Puede incluir envío?', version: 1 });
    await post(`/api/quotes/${written.id}/messages`, { body: 'Con gusto.' }, business.owner);
    await letFollowUpBeDue(followed);
    const kinds = [
      [accepted, ['answer_member', 'answer_signer']],
      [rejected, ['answer_member']],
      [asked, ['change_request']],
      [written, ['quote_message']],
    ] as const;
    const mails = kinds.flatMap(([, of]) => of).length;
    await eventually(async () => {
      const { count } = await service.temporal.workflow.count(
        "WorkflowType = 'sendMail' and ExecutionStatus = 'Running'",
      );
      assert.equal(count, mails, 'mails that wait in Temporal');
    });

    await service.processes.worker.kill();
    await service.wipeTemporal();
    await service.rows("update quotes set expires_at = date_trunc('second', now()) where id = $1", ended.id);
    service.parts.inbox.setMode('accept');
    await service.startTemporal();
    await service.startWorker();
    const startedAt = performance.now();
    await eventually(async () => {
      for (const [quote, of] of kinds) await assertMails(service, quote, of);
      assert.deepEqual(await followUpOf(followed), [{ day: 1, mail: 'SENT' }]);
      assert.equal((await expiredOf(ended)).length, 1, 'quote.expired');
    }, ALL_DONE_MS);

    const copies = await copiesOf(service, [`<followup.${followed.id}.v1.d1@`]);
    for (const [quote] of kinds) copies.push(...(await copiesOfRows(service, quote)));
    const [lost, doubled] = [copies.filter((times) => times === 0), copies.filter((times) => times > 1)];
    await report({
      fault: `F7 Temporal's store wiped with ${mails} mails of responses, a follow-up and an expiry waiting`,
      times: 1,
      kills: 1,
      invariants: 'each mail once by its Message-ID, quote.expired once',
      result: `all done ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the start`,
      lost: lost.length,
      doubled: doubled.length,
    });
    assert.deepEqual(copies, copies.map(() => 1)); // prettier-ignore
  });
});
