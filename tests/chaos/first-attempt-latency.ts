import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import type { Business } from '../journey/business.ts';
import { percentile } from './slowdown.ts';

/** Between two events. */
const EVERY_MS = 1_000;

export interface FirstAttempts {
  /** Milliseconds. */
  readonly median: number;
  readonly p95: number;
  readonly events: number;
  /** Of each event, the times of its request and of its first attempt, by performance.now(). */
  readonly spans: readonly Span[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Milliseconds from the request that causes an event to the first attempt of its delivery, one event a second. */
export async function firstAttempts(
  { service, endpoint }: { readonly service: Installation; readonly endpoint: Receiver },
  { owner }: Business,
  forMs: number,
): Promise<FirstAttempts> {
  const began = new Map<string, number>();
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const at = performance.now();
    const { status, body } = await service.http.post('/api/products', { name: 'Silla', unitPrice: 10 }, owner);
    assert.equal(status, 201, JSON.stringify(body));
    began.set(body.id, at);
    await sleep(Math.max(0, EVERY_MS - (performance.now() - at)));
  }
  const idOf = (text: string): string => JSON.parse(text).data.product.id;
  await eventually(() => {
    const called = new Set(endpoint.calls.map(({ body }) => idOf(body)));
    assert.equal([...began.keys()].filter((id) => !called.has(id)).length, 0);
  }, 120_000);
  const spans = [...began].map(([id, from]) => ({
    from,
    to: endpoint.calls.find(({ body }) => idOf(body) === id)?.at ?? Infinity,
  }));
  const took = spans.map(({ from, to }) => to - from);
  return { median: percentile(took, 0.5), p95: percentile(took, 0.95), events: took.length, spans };
}
