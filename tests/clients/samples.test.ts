import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as build from '../api/build.ts';
import { type Call, receiver } from '../api/receiver.ts';
import { service } from '../api/service.ts';
import { ROOT } from '../docs/documents.ts';
import { type Sample, SAMPLES } from './sample-programs.ts';

interface Signed {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

/** The sample's output and exit code. */
function judge(
  [program = '', ...args]: readonly string[],
  signed: Signed,
  tolerance?: string,
): [string, number | null] {
  const { stdout, stderr, status } = spawnSync(program, [...args, signed.id, signed.timestamp, signed.signature], {
    input: signed.body,
    encoding: 'utf8',
    env: { ...process.env, WEBHOOK_SECRET: signed.secret, ...(tolerance && { WEBHOOK_TOLERANCE: tolerance }) },
  });
  assert.equal(stderr, '');
  return [stdout.trim(), status];
}

const GENUINE = ['genuine', 0];
const REFUSED = ['refused', 1];
/** A body of the same length with one byte changed. */
const withAnotherByte = (body: string) => body.replace('webhook.test', 'webhook.tesu');

const headerOf = ({ headers }: Call, name: string): string => String(headers[name] ?? '');

/**
 * A delivery as an endpoint receives it: from the running service, over HTTP. `rotated`: after the secret was changed.
 */
async function realDelivery({ rotated = false } = {}): Promise<Signed & { previousSecret: string }> {
  const app = await service();
  const { owner } = await build.business();
  await using endpoint = await receiver();
  const hook = await app.post('/api/webhooks', { url: endpoint.url, events: ['quote.created'] }, owner);
  const path = `/api/webhooks/${hook.body.id}`;
  const secret = rotated ? (await app.post(`${path}/rotate-secret`, undefined, owner)).body.secret : hook.body.secret;
  await app.post(`${path}/test`, undefined, owner);
  const [call] = endpoint.calls;
  assert.ok(call);
  return {
    secret: String(secret),
    previousSecret: String(hook.body.secret),
    id: headerOf(call, 'webhook-id'),
    timestamp: headerOf(call, 'webhook-timestamp'),
    signature: headerOf(call, 'webhook-signature'),
    body: call.body,
  };
}

const { vectors } = JSON.parse(readFileSync(`${ROOT}docs/webhook-vectors.json`, 'utf8')) as {
  vectors: readonly Record<string, string>[];
};

function describeSample({ language, command }: Sample): void {
  describe(`verifier sample for ${language}`, function () {
    // A missing language is installed first.
    this.timeout(400_000);
    let run: readonly string[];
    before(() => {
      run = command();
    });

    it('accepts a delivery of the running service, and refuses it with one byte changed or under another secret', async () => {
      const delivery = await realDelivery();

      assert.deepEqual(judge(run, delivery), GENUINE);
      assert.deepEqual(judge(run, { ...delivery, body: withAnotherByte(delivery.body) }), REFUSED);
      assert.deepEqual(judge(run, { ...delivery, id: `${delivery.id}x` }), REFUSED);
      assert.deepEqual(judge(run, { ...delivery, secret: 'whsec_AAAA' }), REFUSED);
    });

    it('refuses a delivery that was signed with an empty key, when it has no secret', () => {
      const at = String(Math.floor(Date.now() / 1000));
      const hmac = createHmac('sha256', '').update(`evt_1.${at}.{}`).digest('base64');
      const forged = { secret: '', id: 'evt_1', timestamp: at, signature: `v1,${hmac}`, body: '{}' };

      assert.deepEqual(judge(run, forged), REFUSED);
      assert.deepEqual(judge(run, { ...forged, secret: 'whsec_' }), REFUSED);
    });

    it('accepts it under the old and the new secret on the day after a rotation', async () => {
      const delivery = await realDelivery({ rotated: true });

      assert.deepEqual(judge(run, delivery), GENUINE);
      assert.deepEqual(judge(run, { ...delivery, secret: delivery.previousSecret }), GENUINE);
    });

    it('gives the right result for every vector, and refuses them all as too old without a tolerance', () => {
      const signed = vectors.map((vector) => ({
        secret: vector['secret'] ?? '',
        id: vector['webhook-id'] ?? '',
        timestamp: vector['webhook-timestamp'] ?? '',
        signature: vector['webhook-signature'] ?? '',
        body: vector['body'] ?? '',
      }));
      // Except vectors that were signed just now by the local clock.
      const old = signed.filter(({ timestamp }) => Math.abs(Date.now() / 1000 - Number(timestamp)) > 3_600);

      assert.ok(signed.length > 3);
      for (const each of signed) assert.deepEqual(judge(run, each, '4000000000'), GENUINE);
      for (const each of old) assert.deepEqual(judge(run, each), REFUSED);
    });
  });
}

for (const sample of SAMPLES) describeSample(sample);
