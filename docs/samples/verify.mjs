// Is this delivery from the service? Node 20 or later, no packages.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/**
 * `headers` with lower-case names; `body` the bytes as they came, a Buffer. Standard Webhooks: base64 of HMAC-SHA256 over
 * id, ".", timestamp, "." and body, under the key whose base64 follows "whsec_".
 */
export function verify(secret, headers, body, toleranceSeconds = 300) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!/^\d+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // Anybody can sign with an empty key.
  if (key.length === 0) return false;
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  // For a day after a rotation there are two, separated by a space.
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// To try it: WEBHOOK_SECRET=whsec_… node verify.mjs <webhook-id> <webhook-timestamp> <webhook-signature> < body
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [id, timestamp, signature] = process.argv.slice(2);
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const body = Buffer.concat(await process.stdin.toArray());
  const tolerance = Number(process.env.WEBHOOK_TOLERANCE ?? 300);
  const genuine = verify(process.env.WEBHOOK_SECRET ?? '', headers, body, tolerance);
  process.stdout.write(genuine ? 'genuine\n' : 'refused\n');
  process.exitCode = genuine ? 0 : 1;
}
