import { setTimeout as sleep } from 'node:timers/promises';
import { createText, LINES, SCRIPTS } from '../adapters/heavy-texts.ts';
import { endlessSvg } from '../adapters/image-files.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { PASSWORD, register } from '../journey/business.ts';
import type { Installation } from '../installation.ts';

/** Concurrent calls of each kind: enough that one always waits for the next permit. */
const IN_FLIGHT = { PDFs: 3, SVGs: 3, 'sign-ins': 16 } as const;
type Kind = keyof typeof IN_FLIGHT;

/** How often each kind of call was answered, and how many of these responses were a 429 or 503. */
export type Done = Readonly<Record<Kind, { answered: number; refused: number }>>;

/** A tenant that uses its full share of each shared resource. */
export interface HostileTenant extends AsyncDisposable {
  /** Begins, and returns when each kind of work is running. */
  start(): Promise<void>;
  /** Calls that its silent endpoints received. */
  silentCalls(): number;
  /** Ends its work, deletes its webhooks, and waits for its pending calls. */
  stop(): Promise<Done>;
}

/** The largest limits of a tenant. */
const WEBHOOKS = 50;
/** Milliseconds between two events, each of which is for all webhooks. */
const EVENT_EVERY_MS = 500;
/** Milliseconds before a refused call is repeated. */
const REFUSED_PAUSE_MS = 100;

/** Registers it, with the heaviest valid quote and a webhook for each silent endpoint. */
export async function hostileTenant(service: Installation): Promise<HostileTenant> {
  const { http } = service;
  const { owner, email } = await register(service);
  const silent = await receiver(() => undefined);
  const quoteId = await heaviestQuote();
  const webhookIds = await webhooksTo(silent);
  const svg = new Blob([new Uint8Array(endlessSvg())], { type: 'image/svg+xml' });
  const nothing = () => ({ answered: 0, refused: 0 });
  const done: Done = { PDFs: nothing(), SVGs: nothing(), 'sign-ins': nothing() };
  const loops: Promise<void>[] = [];
  const stopping = new AbortController();

  async function heaviestQuote(): Promise<string> {
    const { body: client } = await http.post('/api/clients', { contactName: 'Laura' }, owner);
    const text = createText(SCRIPTS.Arabic);
    const items = Array.from({ length: LINES }, () => ({ productName: text(), quantity: 1, unitPrice: 10 }));
    const { status, body } = await http.post('/api/quotes', { clientId: client.id, items }, owner);
    if (status !== 201) throw new Error(`no heavy quote: ${status} ${JSON.stringify(body)}`);
    return body.id;
  }
  async function webhooksTo({ url }: Receiver): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let i = 0; i < WEBHOOKS; i += 1) {
      const res = await http.post('/api/webhooks', { url: `${url}/${i}`, events: ['product.created'] }, owner);
      if (res.status !== 201) throw new Error(`no webhook: ${res.status}`);
      ids.push(res.body.id);
    }
    return ids;
  }

  /** Repeats calls of one kind, with that concurrency. */
  function loop(kind: Kind, call: (count: number) => Promise<{ readonly status: number }>) {
    let count = 0;
    const again = async () => {
      while (!stopping.signal.aborted) {
        count += 1;
        const { status } = await call(count);
        done[kind].answered += 1;
        if (status !== 429 && status !== 503) continue;
        done[kind].refused += 1;
        await sleep(REFUSED_PAUSE_MS);
      }
    };
    loops.push(...Array.from({ length: IN_FLIGHT[kind] }, again));
  }
  async function causeEvents(): Promise<void> {
    while (!stopping.signal.aborted) {
      await http.post('/api/products', { name: 'Silla', unitPrice: 10 }, owner);
      await sleep(EVENT_EVERY_MS);
    }
  }
  async function upload() {
    const body = new FormData();
    body.set('logo', svg, 'logo.svg');
    const res = await fetch(`${http.url}/api/settings/logo`, { method: 'POST', headers: owner, body });
    await res.arrayBuffer();
    return res;
  }
  /** All addresses of one network, because each may sign in 20 times a minute. Every other password is wrong. */
  const signIn = (count: number) =>
    http.post(
      '/api/auth/callback/credentials',
      { email, password: count % 2 === 0 ? PASSWORD : 'otra frase larga' },
      { 'X-Forwarded-For': `198.51.100.${1 + (count % 250)}` },
    );

  return {
    async start() {
      loop('PDFs', () => http.get(`/api/quotes/${quoteId}/pdf`, owner));
      loop('SVGs', upload);
      loop('sign-ins', signIn);
      loops.push(causeEvents());
      await eventually(() => {
        const hasAnswers = Object.values(done).every(({ answered }) => answered > 0);
        if (!hasAnswers || silent.calls.length < 8)
          throw new Error(`the hostile tenant has not begun: ${JSON.stringify(done)}`);
      });
    },
    silentCalls: () => silent.calls.length,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      for (const id of webhookIds) await http.request('DELETE', `/api/webhooks/${id}`, { headers: owner });
      return done;
    },
    [Symbol.asyncDispose]: () => silent[Symbol.asyncDispose](),
  };
}
