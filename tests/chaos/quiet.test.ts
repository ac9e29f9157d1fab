import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, installation } from '../journey/installation.ts';
import { continueProcess, pauseProcess } from '../journey/paused.ts';
import type { KnownQuote, Tenant } from './ledger.ts';
import { untilQuiet } from './quiet.ts';
import { startReceivers } from './receivers.ts';
import { makeTenants } from './tenants.ts';

/** Checking too early finds no fault, and its late effects are then attributed to the next run. */
describe('waiting for unfinished work', () => {
  let service: Installation;

  before(async () => {
    service = await installation();
  });

  it('waits for a share whose result no caller got, and for its events', async () => {
    await using receivers = await startReceivers();
    const ledger = await makeTenants(service, receivers, { count: 1, wired: 1 });
    const [tenant] = ledger.tenants;
    assert.ok(tenant);
    const { id, quoteNumber } = await quoteOf(service, tenant);
    const { ms, waiting } = await untilQuiet(service, ledger, 60_000);
    assert.equal(waiting, undefined, `not quiet before it, after ${ms} ms`);

    const { pid } = service.processes.worker;
    pauseProcess(pid);
    const shared = await service.http.post(`/api/quotes/${id}/share`, {}, tenant.owner);
    assert.deepEqual([shared.status, shared.body.code], [503, 'share_pending']);
    tenant.quotes.push(inDoubt(id, quoteNumber));
    const quietness = untilQuiet(service, ledger, 60_000);
    await sleep(2_000);
    continueProcess(pid);
    assert.equal((await quietness).waiting, undefined);

    const [row] = await service.rows(
      `select count(*)::int as count from outbox_events where tenant_id = $1 and type = 'quote.sent'`,
      tenant.id,
    );
    const delivered = await service.rows(
      `select event, status from webhook_deliveries where tenant_id = $1 order by created_at`,
      tenant.id,
    );
    assert.deepEqual(row, { count: 1 });
    assert.deepEqual(delivered.map(({ event, status }) => `${String(event)} ${String(status)}`).toSorted(), [
      'quote.created DELIVERED',
      'quote.sent DELIVERED',
      'quote.status_changed DELIVERED',
    ]);
  });
});

async function quoteOf(
  { http }: Installation,
  { clientId, owner }: Tenant,
): Promise<{ id: string; quoteNumber: number }> {
  const items = [{ productName: 'Silla de roble', quantity: 2, unitPrice: 100 }];
  const res = await http.post('/api/quotes', { clientId, items }, owner);
  assert.equal(res.status, 201);
  return res.body;
}

const inDoubt = (id: string, number: number): KnownQuote => ({
  id,
  number,
  token: '',
  busy: false,
  statuses: new Set(['GENERATED', 'SENT']),
  versions: { least: 1, most: 1 },
  total: 0,
  shares: { done: 0, doubt: 1 },
});
