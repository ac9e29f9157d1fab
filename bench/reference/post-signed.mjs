// What both peers do with a delivery: sign its body and post it. They keep connections open and check no address.
import { createHmac } from 'node:crypto';
import { Agent } from 'undici';

const agent = new Agent({ connections: 16 });

export async function postSigned({ url, secret, body }) {
  const { statusCode, body: answer } = await agent.request({
    origin: new URL(url).origin,
    path: '/',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  });
  await answer.text();
  return statusCode;
}
