import { newId } from '../../db/ids.ts';
import type { Response } from '../api/service.ts';
import type { Installation } from '../installation.ts';
import { makeTenant } from './tenants.ts';
import type { Receivers } from './receivers.ts';

/**
 * Many concurrent calls for one effect (F14). Each function returns a description of what was wrong; nothing when one
 * call had the effect and the others were answered accordingly.
 */

const MANY = 50;
const ACCEPTS = 20;

export async function bursts(service: Installation, receivers: Receivers, index: number): Promise<readonly string[]> {
  const tenant = await makeTenant(service, receivers, index, false);
  const { http } = service;
  const wrong: string[] = [];
  const expect = (what: string, holds: boolean, seen: unknown) => {
    if (!holds) wrong.push(`${what}: ${JSON.stringify(seen)}`);
  };
  const body = (notes: string) => ({
    clientId: tenant.clientId,
    notes,
    items: [{ productName: 'Mesa', quantity: 1, unitPrice: 10 }],
  });
  const create = (headers: Readonly<Record<string, string>> = {}, notes = 'una') =>
    http.request('POST', '/api/quotes', { headers: { ...tenant.owner, ...headers }, body: body(notes) });
  const count = async (sql: string, ...values: readonly unknown[]) =>
    Number((await service.rows(`select count(*)::int as n from ${sql}`, ...values))[0]?.['n']);

  // One key: one quote.
  const key = newId();
  const keyed = await times(MANY, () => create({ 'Idempotency-Key': key }, 'misma'));
  expect('one key', statuses(keyed, 201) >= 1 && statuses(keyed, 201) + statuses(keyed, 409) === MANY, tally(keyed));
  const same = await count("quotes where tenant_id = $1 and notes = 'misma'", tenant.id);
  expect('quotes of one key', same === 1, same);

  // Without a key: each quote has its number, without duplicates or gaps.
  const free = await times(MANY, () => create());
  expect('concurrent creates', statuses(free, 201) === MANY, tally(free));
  const numbers = free.map((res) => Number(res.body?.quoteNumber)).toSorted((a, b) => a - b);
  expect(
    'numbers',
    numbers.every((number, i) => number === i + 2),
    numbers,
  );

  // One status: one change.
  const quote = await create();
  const moved = await times(MANY, () =>
    http.patch(`/api/quotes/${quote.body.id}/status`, { status: 'SENT' }, tenant.owner),
  );
  expect('moves', statuses(moved, 200) === 1 && statuses(moved, 400) === MANY - 1, tally(moved));
  const moves = await count("outbox_events where quote_id = $1 and type = 'quote.status_changed'", quote.body.id);
  expect('events of moves', moves === 1, moves);

  // One link: one signature.
  const answer = { signerName: 'Laura', signerEmail: tenant.clientEmail, version: 1 };
  const accepted = await times(ACCEPTS, () => http.post(`/api/portal/${quote.body.publicToken}/accept`, answer));
  expect('accepts', statuses(accepted, 200) === ACCEPTS, tally(accepted));
  const signed = [
    await count('signatures where quote_id = $1', quote.body.id),
    await count(
      "outbox_events where quote_id = $1 and type = 'quote.status_changed' and payload like '%ACCEPTED%'",
      quote.body.id,
    ),
    await count(
      "audit_logs where entity_id = $1 and action = 'status_change' and metadata like '%ACCEPTED%'",
      quote.body.id,
    ),
  ];
  expect('signatures, events, entries', signed.join() === '1,1,1', signed);

  // One share: one mail.
  const other = await create();
  const shared = await times(MANY, () => http.post(`/api/quotes/${other.body.id}/share`, undefined, tenant.owner));
  expect('shares', statuses(shared, 200) === MANY, tally(shared));
  const mails = (await service.parts.inbox.messages()).filter(
    ({ to, messageId }) => to.includes(tenant.clientEmail) && messageId?.startsWith('<share.'),
  ).length;
  const sent = await count("outbox_events where quote_id = $1 and type = 'quote.sent'", other.body.id);
  expect('mails and events of shares', mails === 1 && sent === 1, { mails, sent });
  return wrong;
}

const times = (n: number, call: () => Promise<Response>) => Promise.all(Array.from({ length: n }, call));
const statuses = (answers: readonly Response[], status: number): number =>
  answers.filter((res) => res.status === status).length;
const tally = (answers: readonly Response[]) =>
  Object.fromEntries([...new Set(answers.map(({ status }) => status))].map((s) => [s, statuses(answers, s)]));
