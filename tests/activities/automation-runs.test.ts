import assert from 'node:assert/strict';
import { Automation } from '../../db/models/automation.ts';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { automationSteps, type RunFields, triggeredRun } from './automation-world.ts';
import { rows } from '../worker/dispatcher-world.ts';

/** What the log of a run says at its beginning, after its delay and at its end. */
describe('The log of an automation’s run', () => {
  let steps: Awaited<ReturnType<typeof automationSteps>>;
  let business: build.Business;
  const notice = { type: 'send_notification', title: 'a', body: 'b' } as const;

  before(async () => {
    steps = await automationSteps();
    business = await build.business();
  });

  async function triggered(fields: Partial<RunFields> = {}, own = business) {
    const quote = await build.quote(own.owner);
    return { quote, ...(await triggeredRun(own, quote.id, { actions: [notice], ...fields })) };
  }

  it('says what to do and when: the delay counts from the trigger, and no words leave it', async () => {
    const { run, quote, automationId } = await triggered({ delayMinutes: 90 });

    const plan = await steps.beginRun(run);

    const [log] = await rows('select triggered_at from automation_logs where id = $1', run.logId);
    const triggeredAt = log?.['triggered_at'];
    assert.ok(triggeredAt instanceof Date);
    assert.deepEqual(plan, {
      quoteNumber: quote.quoteNumber,
      automationId,
      dueAt: new Date(triggeredAt.getTime() + 90 * 60_000).toISOString(),
      actions: ['send_notification'],
    });
  });

  it('keeps its first ending, and a run that ended does not begin again', async () => {
    const { run } = await triggered();

    await steps.closeRun({ ...run, status: 'FAILED', error: 'actions.0 (send_email): no' });
    await steps.closeRun({ ...run, status: 'COMPLETED', error: null });

    const [log] = await rows('select status, error from automation_logs where id = $1', run.logId);
    assert.deepEqual(log, { status: 'FAILED', error: 'actions.0 (send_email): no' });
    assert.equal(await steps.beginRun(run), undefined);
  });

  it('goes on while everything is as it was', async () => {
    const { run } = await triggered({
      delayMinutes: 5,
      conditions: [{ field: 'status', operator: 'eq', value: 'GENERATED' }],
    });

    assert.equal(await steps.reasonToSkip(run), null);
  });

  it('skips when the conditions hold no longer after a delay', async () => {
    const conditions = [{ field: 'status', operator: 'eq', value: 'GENERATED' }] as const;
    const { run, quote } = await triggered({ delayMinutes: 5, conditions });
    await build.patchQuote(business, quote.id, { status: 'SENT' });

    assert.equal(await steps.reasonToSkip(run), 'omitida: las condiciones ya no se cumplen');
  });

  it('goes on without a delay, whatever other runs of the same event have done since', async () => {
    const conditions = [{ field: 'status', operator: 'eq', value: 'GENERATED' }] as const;
    const { run, quote } = await triggered({ conditions });
    await build.patchQuote(business, quote.id, { status: 'SENT' });

    assert.equal(await steps.reasonToSkip(run), null);
  });

  it('goes on when it is taken up again, though its own action made the conditions false', async () => {
    const conditions = [{ field: 'status', operator: 'eq', value: 'GENERATED' }] as const;
    const actions = [{ type: 'change_status', newStatus: 'SENT' }, notice] as const;
    const { run, first } = await triggered({ delayMinutes: 5, conditions, actions });
    await steps.moveQuote(first);

    assert.equal(await steps.reasonToSkip(run), null);
  });

  it('skips when the automation was switched off', async () => {
    const { run, automationId } = await triggered();
    const { deps } = await service();
    await deps.withTenant(business.tenantId, (trx) =>
      Automation.query(trx).findOne({ tenantId: business.tenantId, id: automationId }).patch({ isActive: false }),
    );

    assert.equal(await steps.reasonToSkip(run), 'omitida: la automatización está inactiva');
  });

  it('skips when the business went back to FREE', async () => {
    const own = await build.business();
    const { run } = await triggered({}, own);
    await build.patchTenant(own, { plan: 'FREE' });

    assert.equal(await steps.reasonToSkip(run), 'omitida: el plan ya no incluye automatizaciones');
  });

  it('has nothing to say when it was deleted with its automation', async () => {
    const { run, first, automationId } = await triggered({ delayMinutes: 5 });
    await steps.notifyOwners(first);
    const app = await service();
    await app.request('DELETE', `/api/automations/${automationId}`, { headers: business.owner });

    assert.equal(await steps.reasonToSkip(run), undefined);
    assert.equal(await steps.beginRun(run), undefined);
    await steps.closeRun({ ...run, status: 'COMPLETED', error: null });
  });
});
