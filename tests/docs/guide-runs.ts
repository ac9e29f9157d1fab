import assert from 'node:assert/strict';
import { freePort } from '../../dev/ports.ts';
import { newWebhookSecret, signatureHeaders } from '../../adapters/outbound-http/signing.ts';
import { eventually } from '../eventually.ts';
import { OUTCOMES, PREPARATIONS } from './guide-outcomes.ts';
import { type Environment, languageFor, openSession, type Ran, type Session } from './guide-session.ts';
import { guideWorld, type World } from './guide-world.ts';
import { type Example, examplesOf, type Language } from './guides.ts';

/** The example that listens for deliveries instead of calling the service. */
export const RECEIVER = 'webhooks.md: Receive and verify';

/** Examples that a session in that language runs: their own programs, and shell commands that prepare them. */
export const examplesIn = (guide: string, language: Language): readonly Example[] =>
  examplesOf(guide).filter(
    (example) =>
      languageFor(example, language) !== undefined &&
      // It reads address and key of the stack of npm start; the session has its own.
      example.name !== 'quick-start.md: Set the address and the key',
  );

/** Runs the examples of a guide in one language for a new business, one after the other, and asserts each outcome. */
export async function runGuide(
  guide: string,
  language: Language,
  onResponse: (example: Example, output: string) => void = () => undefined,
): Promise<void> {
  const examples = examplesIn(guide, language);
  using session = openSession(examples, language);
  const world = await guideWorld();
  await PREPARATIONS[guide]?.(world);
  let { env } = world;
  for (const example of examples) {
    if (example.name === RECEIVER) {
      await assertReceives(session, example, world);
      continue;
    }
    const outcome = OUTCOMES[example.name];
    assert.ok(outcome, `no outcome is written down for ${example.name}`);
    const ran = await runOrRepeat(session, example, env);
    ({ env } = ran);
    const isShell = languageFor(example, language) === 'sh';
    if (isShell && example.response && isJson(ran.output)) onResponse(example, ran.output);
    else
      assert.match(ran.output, (isShell && outcome.shell) || outcome.prints, `${example.name} printed\n${ran.output}`);
    await outcome.check?.(world, env, ran.output);
  }
}

/** A share may outlast its request on a slow machine: it is repeated then, as the errors guide says, and joins the first. */
async function runOrRepeat(session: Session, example: Example, env: Environment): Promise<Ran> {
  const isShare = example.programs.sh?.text.includes('/share') ?? false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.run(example, env);
    } catch (error) {
      const isPending = isShare && /share_pending|\b503\b/.test(String(error));
      if (!isPending || attempt === 4) throw error;
    }
  }
}

/** Whether a command printed the service's response, not something made from it. */
const isJson = (output: string): boolean => /^[[{]/.test(output);

/** Without a secret it ends, or refuses a delivery that anybody can sign: one under an empty key. */
async function assertRefusesWithoutSecret(session: Session, example: Example, env: Environment): Promise<void> {
  const port = await freePort();
  await using receiver = session.start(example, { ...env, WEBHOOK_SECRET: '' }, port);
  const body = '{"event":"quote.sent"}';
  const headers = signatureHeaders({ secrets: ['whsec_'], eventId: `forged-${port}`, at: new Date(), body });
  await eventually(async () => {
    if (typeof receiver.exitCode() === 'number') return assert.notEqual(receiver.exitCode(), 0);
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    assert.equal(status, 500);
  });
}

/** A real delivery is accepted once, however often it comes; a changed one is refused, one of the day after a rotation accepted. */
async function assertReceives(session: Session, example: Example, { app, as, env }: World): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const hook = await app.post('/api/webhooks', { url, events: ['quote.created'] }, as);
  const secret = String(hook.body.secret);
  await assertRefusesWithoutSecret(session, example, env);
  await using receiver = session.start(example, { ...env, WEBHOOK_SECRET: secret }, port);
  const send = (headers: Record<string, string>, body: string) => fetch(url, { method: 'POST', headers, body });
  await eventually(async () => {
    assert.equal(receiver.exitCode(), null, receiver.output());
    await send({}, '{}');
  });

  const tested = await app.post(`/api/webhooks/${hook.body.id}/test`, undefined, as);
  const body = '{"event":"quote.sent","data":{"total":1160}}';
  const signedBy = (eventId: string, ...secrets: [string, ...string[]]): Environment =>
    signatureHeaders({ secrets, eventId: `${eventId}-${port}`, at: new Date(), body });
  const signed = signedBy('once', secret);
  const statuses = [
    await send(signed, body),
    await send(signed, body),
    await send(signed, body.replace('1160', '1161')),
    await send({ ...signed, 'webhook-timestamp': '1614265330' }, body),
    await send({}, body),
    await send(signedBy('rotated', newWebhookSecret(), secret), body),
  ].map(({ status }) => status);

  assert.deepEqual([tested.body.success, tested.body.statusCode], [true, 204], receiver.output());
  assert.deepEqual(statuses, [204, 204, 400, 400, 400, 204], receiver.output());
  await eventually(async () => {
    const received = receiver.output().match(/received [\w.]+/g);
    assert.deepEqual(received, ['received webhook.test', 'received quote.sent', 'received quote.sent']);
  });
}
