import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import * as build from './build.ts';
import { type Credential, service } from './service.ts';

/** Lists that have cursors, each with some records. */

export interface CursorList {
  readonly name: string;
  readonly path: string;
  readonly count: number;
}

const COUNT = 8;

export async function cursorLists(business: build.Business): Promise<readonly CursorList[]> {
  const app = await service();
  const { owner, userId } = business;
  await manyQuotes(business, { count: COUNT, userIds: [userId] });
  for (let n = 0; n < COUNT; n += 1) await build.client(owner);
  for (let n = 0; n < COUNT; n += 1) await build.product(business);
  const webhookId = await webhookWithDeliveries(business);
  const paths = {
    quotes: '/api/quotes',
    clients: '/api/clients',
    products: '/api/products',
    'audit logs': '/api/audit-logs',
    deliveries: `/api/webhooks/${webhookId}/deliveries`,
  };
  return Promise.all(
    Object.entries(paths).map(async ([name, path]) => {
      const { body } = await app.get(path, owner);
      return { name, path, count: body.total as number };
    }),
  );
}

/** A webhook with some deliveries of equal times. */
export async function webhookWithDeliveries({ tenantId }: build.Business): Promise<string> {
  const app = await service();
  const webhookId = newId();
  await app.deps.withTenant(tenantId, async (trx) => {
    await trx('webhooks').insert({
      id: webhookId,
      tenantId,
      url: 'https://example.com/avisos',
      events: ['quote.created'],
      secretSealed: 'x',
      secretLast4: 'xxxx',
    });
    const deliveries = Array.from({ length: COUNT }, () => ({
      id: newId(),
      tenantId,
      webhookId,
      event: 'quote.created',
      eventId: newId(),
      payload: JSON.stringify({ event: 'quote.created', timestamp: '2026-11-30T00:00:00.000Z', data: {} }),
    }));
    await trx('webhookDeliveries').insert(deliveries);
  });
  return webhookId;
}

/** The ids of each page, from the first to the last by cursor. `betweenPages` runs before each further page. */
export async function idsByCursor(
  path: string,
  query: Readonly<Record<string, string>>,
  as: Credential,
  betweenPages: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly (readonly string[])[]> {
  const app = await service();
  const pages: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const res = await app.get(`${path}?${new URLSearchParams({ ...query, cursor }).toString()}`, as);
    assert.equal(res.status, 200, JSON.stringify(res.body));
    pages.push(res.body.data.map(({ id }: { id: string }) => id));
    cursor = res.body.nextCursor;
    if (cursor !== null) await betweenPages();
  }
  return pages;
}

/** Quotes of one client, of which some have equal times and totals, and others times that differ by microseconds. */
export async function manyQuotes(
  { tenantId, owner }: build.Business,
  { count, userIds }: { readonly count: number; readonly userIds: readonly string[] },
): Promise<void> {
  const { deps } = await service();
  const first = await build.quote(owner);
  await deps.withTenant(tenantId, async (trx) => {
    const original = await trx('quotes').where({ tenantId, id: first.id }).first<Record<string, unknown>>();
    const counter = await trx('quoteCounters').where({ tenantId }).first<{ lastNumber: number }>();
    const copies = Array.from({ length: count - 1 }, (_, n) => {
      const id = newId();
      const quoteNumber = counter.lastNumber + n + 1;
      const at = (day: string) => `${day}T00:00:00.00000${Math.floor(n / 3) % 7}Z`;
      const total = `${100 + Math.floor(n / 4)}.000`;
      const amounts = { subtotal: total, tax: '0', shippingCost: '0', total };
      const times = { createdAt: at('2026-11-01'), expiresAt: at('2027-11-01') };
      const userId = userIds[(n + 1) % userIds.length];
      return {
        ...original,
        ...amounts,
        ...times,
        id,
        userId,
        quoteNumber,
        displayNumber: `COT-${quoteNumber}`,
        publicTokenHash: id,
      };
    });
    await trx('quotes').insert(copies);
    await trx('quoteCounters')
      .where({ tenantId })
      .increment('lastNumber', count - 1);
  });
}
