import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { eventually } from '../eventually.ts';
import { install, type Installation } from '../installation.ts';
import { makeQuote, register, share } from '../journey/business.ts';
import { type Followed, followContributing } from './followed.ts';

/** Applies the example's steps and runs the result in the copy's own processes, on real servers. */
describe('CONTRIBUTING.md, the workflow of its example', () => {
  let copy: Followed;
  let service: Installation;

  before(async () => {
    copy = followContributing();
    service = await install({ root: copy.folder });
  });
  after(async () => {
    await service?.remove();
    copy.remove();
  });

  /** Runs an operator's command in the copy. */
  const command = (...words: readonly string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'activities/cli.ts', ...words], {
      cwd: copy.folder,
      encoding: 'utf8',
      env: { ...process.env, ...service.env },
    });

  it('the reconciler starts the workflow; it waits for the expiry, notifies once, and replays', async () => {
    const business = await register(service);
    const quote = await makeQuote(service, business);
    // The first share loads the PDF renderer, which may exceed the caller's time limit on a busy machine.
    await eventually(async () => assert.equal((await share(service, business, quote)).status, 200));
    const expiresAt = new Date(Date.now() + 12_000).toISOString();
    await service.http.patch(`/api/quotes/${quote.id}`, { expiresAt }, business.owner);

    const reconciled = command('reconcile');

    assert.equal(reconciled.status, 0, reconciled.stderr);
    const workflowId = `expired.${business.slug}.COT-${quote.quoteNumber}`;
    const run = service.temporal.workflow.getHandle(workflowId);
    assert.deepEqual(await run.result(), { outcome: 'notified' });
    assert.ok(Date.now() >= Date.parse(expiresAt), 'it did not wait');
    const { data } = (await service.http.get('/api/notifications', business.owner)).body;
    const titles = data.map(({ title }: { title: string }) => title);
    assert.equal(titles.filter((title: string) => title === 'COT-1 venció sin respuesta').length, 1);

    const replayed = command('replay', workflowId);

    assert.equal(replayed.status, 0, replayed.stderr);
    assert.match(replayed.stdout, new RegExp(`^OK ${workflowId}: \\d+ eventos`));
  });

  it('the shown test passes on the time-skipping server', () => {
    const { status, stdout, stderr } = spawnSync('npx', ['mocha', 'tests/workflows/notice-of-expiry.test.ts'], {
      cwd: copy.folder,
      encoding: 'utf8',
    });

    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^1 passed, 0 failed$/m);
  });
});
