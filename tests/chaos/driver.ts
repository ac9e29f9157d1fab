import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../db/ids.ts';
import { httpClient, type RequestOptions, type Response } from '../api/service.ts';
import type { Call, KnownQuote, Ledger, Status, Tenant, Verb } from './ledger.ts';

/**
 * The load: calls begin at a steady rate, independent of earlier ones (an open loop) unless their number in flight is limited, and each is repeated with its
 * Idempotency-Key until it has a response, as a careful caller does.
 */

export interface DriverOptions {
  readonly url: string;
  /** Calls begun each second. */
  readonly rate: number;
  /** Milliseconds after which a call is given up and its outcome unknown. */
  readonly patienceMs: number;
  /** Calls in flight beyond which none begins. Default: none, which is an open loop. */
  readonly maxInFlight?: number;
}

export interface Driver {
  /** Begins no more calls and waits for pending ones. */
  stop(): Promise<void>;
}

/** Of a hundred calls. */
const MIX: readonly (readonly [Verb, number])[] = [
  ['create', 36],
  ['duplicate', 5],
  ['read', 20],
  ['status', 13],
  ['share', 10],
  ['accept', 4],
  ['revise', 7],
  ['settings', 5],
];

/** Responses after which the same call is repeated. */
const AGAIN = new Set([0, 429, 500, 502, 503, 504]);

export function startDriver(ledger: Ledger, { url, rate, patienceMs, maxInFlight = Infinity }: DriverOptions): Driver {
  const http = httpClient(url);
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  const ticking = (async () => {
    for (let next = performance.now(); !stopped; next += 1000 / rate) {
      await sleep(Math.max(0, next - performance.now()));
      while (underWay.size >= maxInFlight) await Promise.race(underWay);
      const one: Promise<void> = begin().finally(() => underWay.delete(one));
      underWay.add(one);
    }
  })();

  async function begin(): Promise<void> {
    const tenant = pickTenant(ledger.tenants, Math.random());
    const verb = pickVerb(Math.random());
    const quote = verb === 'create' || verb === 'settings' ? undefined : freeQuote(tenant, verb, Math.random());
    const chosen: Verb = verb === 'create' || verb === 'settings' || quote ? verb : 'create';
    const call: Call = {
      id: newId(),
      verb: chosen,
      tenant,
      startedAt: Date.now(),
      endedAt: 0,
      answers: [],
      longestMs: 0,
      outcome: 'open',
    };
    ledger.calls.push(call);
    if (quote) quote.busy = true;
    try {
      await VERBS[chosen]({ call, quote, random: Math.random(), ledger, send: (request) => persist(call, request) });
    } finally {
      call.endedAt = Date.now();
      if (quote) quote.busy = false;
    }
  }

  /** The response that ends the call; undefined after the time limit. */
  async function persist(call: Call, { method, path, body, keyed }: Request): Promise<Response | undefined> {
    const headers: Record<string, string> = { ...call.tenant.owner, 'X-Request-Id': call.id };
    if (keyed) headers['Idempotency-Key'] = call.id;
    const options: RequestOptions = { headers, ...(body === undefined ? {} : { body }) };
    for (let pause = 100; ; pause = Math.min(2_000, pause * 2)) {
      const askedAt = Date.now();
      const res = await http.request(method, path, options).catch(() => undefined);
      call.longestMs = Math.max(call.longestMs, Date.now() - askedAt);
      call.answers.push(res?.status ?? 0);
      const busy = res?.status === 409 && res.body?.code === 'request_in_progress';
      if (res && !busy && !AGAIN.has(res.status)) return res;
      if (Date.now() - call.startedAt > patienceMs) return undefined;
      await sleep(pause * (0.5 + Math.random()));
    }
  }

  return {
    async stop() {
      stopped = true;
      await ticking;
      await Promise.all(underWay);
    },
  };
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly keyed?: boolean;
}

interface Turn {
  readonly call: Call;
  readonly quote: KnownQuote | undefined;
  readonly random: number;
  readonly ledger: Ledger;
  readonly send: (request: Request) => Promise<Response | undefined>;
}

const item = (random: number) => ({
  productName: 'Silla de roble',
  quantity: 1 + Math.floor(random * 9),
  unitPrice: Math.round(random * 100_000) / 100,
});

const VERBS: Readonly<Record<Verb, (turn: Turn) => Promise<void>>> = {
  async create({ call, random, send }) {
    const body = { clientId: call.tenant.clientId, notes: call.id, items: [item(random)] };
    const res = await send({ method: 'POST', path: '/api/quotes', body, keyed: true });
    if (settle(call, res, 201)) call.tenant.quotes.push(known(res));
  },
  async duplicate({ call, quote, send }) {
    if (!quote) return;
    const res = await send({ method: 'POST', path: `/api/quotes/${quote.id}/duplicate`, keyed: true });
    if (settle(call, res, 201)) call.tenant.quotes.push(known(res));
  },
  async read({ call, quote, ledger, send }) {
    if (!quote) return;
    const res = await send({ method: 'GET', path: `/api/quotes/${quote.id}` });
    if (!settle(call, res, 200)) return;
    const { status, version, quoteNumber, total } = res.body;
    const certain = quote.versions.least === quote.versions.most;
    const holds =
      quote.statuses.has(status) &&
      quoteNumber === quote.number &&
      version >= quote.versions.least &&
      version <= quote.versions.most &&
      (!certain || Number(total) === quote.total);
    if (!holds)
      ledger.contradictions.push(`${quote.id}: read ${status} v${version} ${total}, expected ${expectationOf(quote)}`);
  },
  async status({ call, quote, random, send }) {
    if (!quote) return;
    const [from] = quote.statuses;
    const to: Status = from === 'GENERATED' ? 'SENT' : random < 0.5 ? 'WON' : 'LOST';
    const res = await send({ method: 'PATCH', path: `/api/quotes/${quote.id}/status`, body: { status: to } });
    // Repeated after a lost response it is refused, because it has been done.
    const doneBefore = call.answers.length > 1 && res?.status === 400;
    move(call, quote, to, doneBefore ? undefined : res, 200);
    if (doneBefore) {
      call.outcome = 'done';
      quote.statuses = new Set([to]);
    }
  },
  async share({ call, quote, send }) {
    if (!quote) return;
    const res = await send({ method: 'POST', path: `/api/quotes/${quote.id}/share`, keyed: true });
    const sent = settle(call, res, 200);
    quote.shares[sent ? 'done' : 'doubt'] += 1;
    if (sent && quote.statuses.has('GENERATED')) quote.statuses = new Set(['SENT']);
    else if (!sent && quote.statuses.has('GENERATED')) quote.statuses.add('SENT');
  },
  async accept({ call, quote, send }) {
    if (!quote) return;
    const body = { signerName: 'Laura', signerEmail: call.tenant.clientEmail, version: quote.versions.most };
    const res = await send({ method: 'POST', path: `/api/portal/${quote.token}/accept`, body });
    move(call, quote, 'ACCEPTED', res, 200);
  },
  async revise({ call, quote, random, send }) {
    if (!quote) return;
    const body = { clientId: call.tenant.clientId, items: [item(random), item(1 - random)] };
    const res = await send({ method: 'POST', path: `/api/quotes/${quote.id}/revise`, body, keyed: true });
    quote.versions.most += 1;
    if (settle(call, res, 200) || call.outcome === 'refused') {
      if (call.outcome === 'refused') quote.versions.most -= 1;
      else {
        quote.versions.least = quote.versions.most = Number(res?.body.version);
        quote.total = Number(res?.body.total);
      }
    }
  },
  async settings({ call, random, send }) {
    const body = { reminderDaysBefore: 1 + Math.floor(random * 10), phone: call.id.slice(0, 12) };
    settle(call, await send({ method: 'PUT', path: '/api/settings', body }), 200);
  },
};

/** Records how the call ended; true when it succeeded. */
function settle(call: Call, res: Response | undefined, good: number): res is Response {
  call.outcome = res === undefined ? 'doubt' : res.status === good ? 'done' : 'refused';
  return call.outcome === 'done';
}

function move(call: Call, quote: KnownQuote, to: Status, res: Response | undefined, good: number): void {
  if (settle(call, res, good)) quote.statuses = new Set([to]);
  else if (call.outcome === 'doubt') quote.statuses.add(to);
}

const known = ({ body }: Response): KnownQuote => ({
  id: body.id,
  number: body.quoteNumber,
  token: body.publicToken,
  busy: false,
  statuses: new Set<Status>([body.status]),
  versions: { least: body.version, most: body.version },
  total: Number(body.total),
  shares: { done: 0, doubt: 0 },
});

const expectationOf = ({ statuses, versions, total }: KnownQuote): string =>
  `${[...statuses].join('|')} v${versions.least}–${versions.most} ${total}`;

/** The first has half the traffic. */
const pickTenant = (tenants: readonly Tenant[], random: number): Tenant => {
  const index = random < 0.5 ? 0 : Math.floor((random - 0.5) * 2 * tenants.length);
  const tenant = tenants[index];
  if (!tenant) throw new Error('no tenants');
  return tenant;
};

function pickVerb(random: number): Verb {
  let rest = random * 100;
  for (const [verb, share] of MIX) {
    rest -= share;
    if (rest < 0) return verb;
  }
  return 'create';
}

/** The states for which a verb is meant. */
const MEANT_FOR: Readonly<Partial<Record<Verb, readonly Status[]>>> = {
  status: ['GENERATED', 'SENT'],
  share: ['GENERATED', 'SENT'],
  accept: ['SENT'],
  revise: ['GENERATED', 'SENT'],
};

/** A quote without a pending call, and in a certain state where that matters. */
function freeQuote(tenant: Tenant, verb: Verb, random: number): KnownQuote | undefined {
  const states = MEANT_FOR[verb];
  const fit = tenant.quotes.filter(
    ({ busy, statuses, versions }) =>
      !busy &&
      (!states ||
        (statuses.size === 1 &&
          versions.least === versions.most &&
          [...statuses].every((status) => states.includes(status)))),
  );
  return fit[Math.floor(random * fit.length)];
}
