import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from '../../adapters/outbound-http/signing.ts';

/** The example that the Standard Webhooks project publishes for its libraries. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
} as const;
const at = new Date(Number(PUBLISHED.timestamp) * 1000);

describe('signature of a webhook call', () => {
  it('equals the published one of Standard Webhooks for its example', () => {
    const headers = signatureHeaders({
      secrets: [PUBLISHED.secret],
      eventId: PUBLISHED.eventId,
      at,
      body: PUBLISHED.body,
    });

    assert.equal(headers['webhook-signature'], PUBLISHED.signature);
    assert.equal(headers['webhook-id'], PUBLISHED.eventId);
    assert.equal(headers['webhook-timestamp'], PUBLISHED.timestamp);
  });

  it('in X-Service-Signature is bare lower-case hex over the body, with the whole secret as the key', () => {
    const body = '{"event":"quote.created","data":{"notes":"Ñandú €"}}';

    const headers = signatureHeaders({ secrets: [PUBLISHED.secret], eventId: 'e', at, body });

    assert.match(headers['X-Service-Signature'] ?? '', /^[0-9a-f]{64}$/);
    assert.equal(
      headers['X-Service-Signature'],
      createHmac('sha256', Buffer.from(PUBLISHED.secret, 'utf8')).update(Buffer.from(body, 'utf8')).digest('hex'),
    );
  });

  it('consists of two signatures after a rotation, the new one first; X-Service-Signature uses the new secret', () => {
    const fresh = newWebhookSecret();
    const call = { eventId: PUBLISHED.eventId, at, body: PUBLISHED.body };

    const both = signatureHeaders({ secrets: [fresh, PUBLISHED.secret], ...call });
    const alone = signatureHeaders({ secrets: [fresh], ...call });

    assert.equal(both['webhook-signature'], `${alone['webhook-signature']} ${PUBLISHED.signature}`);
    assert.equal(both['X-Service-Signature'], alone['X-Service-Signature']);
  });

  it('changes with each byte of the body', () => {
    const sign = (body: string) => signatureHeaders({ secrets: [PUBLISHED.secret], eventId: 'e', at, body });

    const [one, other] = [sign('{"a":1}'), sign('{"a": 1}')];

    assert.notEqual(one['X-Service-Signature'], other['X-Service-Signature']);
    assert.notEqual(one['webhook-signature'], other['webhook-signature']);
  });

  it('uses secrets of 32 random bytes in base64 after whsec_', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);

    assert.ok(secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret)));
    assert.equal(new Set(secrets).size, 50);
  });
});

/** One row of docs/webhook-vectors.json, by which receivers check their own code. */
interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly previousSecret?: string;
  readonly body: string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
  readonly 'X-Service-Signature': string;
}
const { vectors }: { vectors: readonly Vector[] } = JSON.parse(
  readFileSync(new URL('../../docs/webhook-vectors.json', import.meta.url), 'utf8'),
);

describe('published vectors of webhook signatures', () => {
  for (const { name, secret, previousSecret, body, ...headers } of vectors) {
    it(`equal our signer's result for «${name}»`, () => {
      const signed = signatureHeaders({
        secrets: previousSecret === undefined ? [secret] : [secret, previousSecret],
        eventId: headers['webhook-id'],
        at: new Date(Number(headers['webhook-timestamp']) * 1000),
        body,
      });

      assert.deepEqual(signed, headers);
    });

    it(`equal the official library's result for «${name}»`, () => {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const secrets = [secret, ...(previousSecret === undefined ? [] : [previousSecret])];

      const signed = secrets.map((key) => new Webhook(key).sign(headers['webhook-id'], at, body));

      assert.equal(signed.join(' '), headers['webhook-signature']);
    });
  }
});
