// Creating a quote the way Prisma's manual shows it: an interactive transaction with a nested create and the rows beside
// it. The same rows and columns as bench/servers/insert-graph.ts: no session, no permission, no row-level security, no
// amounts.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import { ready } from './ready.mjs';

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, min: 8, max: 8 });
const prisma = new PrismaClient({ adapter });

const create = (tenantId, clientId, userId) =>
  prisma.$transaction(async (tx) => {
    const { lastNumber: quoteNumber } = await tx.quoteCounter.update({
      where: { tenantId },
      data: { lastNumber: { increment: 1 } },
    });
    const { id: quoteId } = await tx.quote.create({
      select: { id: true },
      data: {
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
        publicTokenHash: randomUUID(),
        publicTokenSealed: 'x'.repeat(90),
        items: {
          create: Array.from({ length: 5 }, (_, position) => ({
            position,
            productName: 'Silla ejecutiva',
            unitPrice: '100',
            quantity: 2,
            discountPct: '0',
            subtotal: '200',
          })),
        },
      },
    });
    await tx.auditLog.create({
      data: {
        tenantId,
        userId,
        actor: 'user',
        action: 'create',
        entity: 'quote',
        entityId: quoteId,
        metadata: 'x'.repeat(120),
      },
    });
    await tx.outboxEvent.create({
      data: {
        tenantId,
        type: 'quote.created',
        quoteId,
        payload: 'x'.repeat(1_200),
        rootEventId: quoteId,
        depth: 0,
        automationPath: '',
      },
    });
    return quoteNumber;
  });

createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://127.0.0.1');
  create(searchParams.get('tenant'), searchParams.get('client'), searchParams.get('user')).then(
    (number) => response.end(String(number)),
    (error) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env.PORT), '127.0.0.1', ready);
