import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { svg } from '../adapters/image-files.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import type { Response } from '../api/service.ts';
import { type Business, makeQuote, PASSWORD, register } from '../journey/business.ts';
import type { Installation } from '../installation.ts';

/** The actions of a tenant in each round, in this order. */
export const KINDS = ['PDF', 'share', 'acceptance', 'sign-in', 'first attempt'] as const;
export type Kind = (typeof KINDS)[number];

export interface Rounds {
  /** Milliseconds of each round. */
  readonly took: Readonly<Record<Kind, readonly number[]>>;
  /** Every unexpected response, such as "share 503". */
  readonly failed: readonly string[];
}

/** An ordinary tenant, whose work is measured while another one is heavy. */
export interface MeasuredTenant extends AsyncDisposable {
  /** Runs that many rounds, one call after the other. */
  work(rounds: number): Promise<Rounds>;
}

/** Documentation addresses (RFC 5737). Many, because an address may sign in 20 times a minute. */
const ownerAddress = (round: number) => `192.0.2.${1 + (round % 100)}`;
const CLIENT_ADDRESS = '192.0.2.200';
/** Milliseconds after which a webhook call counts as lost. */
const LOST_AFTER_MS = 30_000;

/** Registers it, with a webhook to an endpoint that responds. */
export async function measuredTenant(service: Installation): Promise<MeasuredTenant> {
  const business = await register(service);
  const endpoint = await receiver();
  const { http } = service;
  const webhook = { url: endpoint.url, events: ['product.created'] };
  const { status } = await http.post('/api/webhooks', webhook, business.owner);
  if (status !== 201) throw new Error(`no webhook: ${status}`);
  const signature = { type: 'drawn', data: await drawnSignature() };
  let round = 0;

  return {
    async work(rounds) {
      const took: Record<Kind, number[]> = { PDF: [], share: [], acceptance: [], 'sign-in': [], 'first attempt': [] };
      const failed: string[] = [];
      const measure = async (kind: Kind, call: Promise<Response>, expected = 200) => {
        const startedAt = performance.now();
        const res = await call;
        took[kind].push(performance.now() - startedAt);
        if (res.status !== expected) failed.push(`${kind} ${res.status}`);
      };
      for (let left = rounds; left > 0; left -= 1) {
        round += 1;
        const { id, publicToken, clientEmail } = await makeQuote(service, business);
        // Not stored yet, so the API draws it.
        await measure('PDF', http.get(`/api/quotes/${id}/pdf`, business.owner));
        await measure('share', http.post(`/api/quotes/${id}/share`, undefined, business.owner));
        const answer = { signerName: 'Laura Méndez', signerEmail: clientEmail, version: 1, signature };
        const client = { 'X-Forwarded-For': CLIENT_ADDRESS };
        await measure('acceptance', http.post(`/api/portal/${publicToken}/accept`, answer, client));
        const credentials = { email: business.email, password: PASSWORD };
        const owner = { 'X-Forwarded-For': ownerAddress(round) };
        await measure('sign-in', http.post('/api/auth/callback/credentials', credentials, owner));
        const heard = await firstAttempt(service, business, endpoint);
        took['first attempt'].push(heard);
        if (heard === Infinity) failed.push('first attempt lost');
      }
      return { took, failed };
    },
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  };
}

/**
 * Milliseconds from the request that causes an event to the first attempt of its delivery; Infinity when there is none.
 */
async function firstAttempt({ http }: Installation, { owner }: Business, endpoint: Receiver): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await http.post('/api/products', { name: 'Silla', unitPrice: 10 }, owner);
  if (status !== 201) throw new Error(`no product: ${status}`);
  while (performance.now() - startedAt < LOST_AFTER_MS) {
    const call = endpoint.calls.find((one) => JSON.parse(one.body).data.product.id === body.id);
    if (call) return call.at - startedAt;
    await sleep(25);
  }
  return Infinity;
}

/** A data URL, as a client's page sends it. */
async function drawnSignature(): Promise<string> {
  const png = await sharp(svg('<path d="M5 60 Q 40 5 60 60 T 95 40" fill="none" stroke="#000" stroke-width="3"/>'))
    .resize(600, 200, { fit: 'fill' })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
