import { createServer } from 'node:http';
import createKnex from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import { onShutdown, reportReady } from '../../adapters/process.ts';
import { newId } from '../../db/ids.ts';
import { AuditLog } from '../../db/models/audit-log.ts';
import { OutboxEvent } from '../../db/models/outbox-event.ts';
import { Quote } from '../../db/models/quote.ts';

/**
 * Creating a quote the way Objection's manual shows it: a transaction with `insertGraph` and the rows beside it. No
 * session, no permission, no row-level security, no amounts.
 */
const { DATABASE_URL: connection, PORT } = process.env;
if (connection === undefined) throw new Error('DATABASE_URL is not set');
const knex = createKnex({ client: 'pg', connection, pool: { min: 8, max: 8 }, ...knexSnakeCaseMappers() });

async function create(tenantId: string, clientId: string, userId: string): Promise<number> {
  return knex.transaction(async (trx) => {
    const [counter] = await trx('quoteCounters')
      .where({ tenantId })
      .update({ lastNumber: trx.raw('last_number + 1') })
      .returning<{ lastNumber: number }[]>('lastNumber');
    const quoteNumber = counter?.lastNumber ?? 0;
    const quoteId = newId();
    const items = Array.from({ length: 5 }, (_, position) => ({
      id: newId(),
      tenantId,
      position,
      productName: 'Silla ejecutiva',
      unitPrice: '100',
      quantity: 2,
      discountPct: '0',
      subtotal: '200',
    }));
    await Quote.query(trx).insertGraph({
      id: quoteId,
      tenantId,
      quoteNumber,
      clientId,
      clientContactName: 'x',
      userId,
      currency: 'MXN',
      taxRate: '0.16',
      subtotal: '1000',
      tax: '160',
      shippingCost: '0',
      total: '1160',
      notes: '',
      expiresAt: new Date(Date.now() + 1_296_000_000),
      publicTokenHash: quoteId,
      publicTokenSealed: 'x'.repeat(90),
      items,
    });
    await AuditLog.query(trx).insert({
      id: newId(),
      tenantId,
      userId,
      actor: 'user',
      action: 'create',
      entity: 'quote',
      entityId: quoteId,
      metadata: 'x'.repeat(120),
    });
    await OutboxEvent.query(trx).insert({
      id: newId(),
      tenantId,
      type: 'quote.created',
      quoteId,
      payload: 'x'.repeat(1_200),
      rootEventId: quoteId,
      depth: 0,
      automationPath: '',
    });
    return quoteNumber;
  });
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const given = (name: string) => searchParams.get(name) ?? '';
  create(given('tenant'), given('client'), given('user')).then(
    (number) => response.end(String(number)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(PORT), '127.0.0.1', reportReady);
onShutdown(() => knex.destroy());
