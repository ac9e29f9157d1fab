import { newId } from '../../db/ids.ts';
import type { Response } from '../api/service.ts';
import type { Installation } from '../installation.ts';
import { makeTenant } from './tenants.ts';
import type { Tenant } from './ledger.ts';
import type { Receivers } from './receivers.ts';

/**
 * Many concurrent calls for one effect (F14). Returns descriptions of what was wrong; nothing when one
 * call had the effect and the others were answered accordingly.
 */

const MANY = 50;
const ACCEPTS = 20;

export async function bursts(
  service: Installation,
  receivers: Receivers,
  index: number,
  kinds: readonly Burst[] = BURSTS,
): Promise<readonly string[]> {
  const tenant = await makeTenant(service, receivers, index, false);
  const wrong: string[] = [];
  const world: World = {
    service,
    tenant,
    expect(what, holds, seen) {
      if (!holds) wrong.push(`${what}: ${JSON.stringify(seen)}`);
    },
    create(headers = {}, notes = 'una') {
      const items = [{ productName: 'Mesa', quantity: 1, unitPrice: 10 }];
      const body = { clientId: tenant.clientId, notes, items };
      return service.http.request('POST', '/api/quotes', { headers: { ...tenant.owner, ...headers }, body });
    },
    async count(sql, ...values) {
      return Number((await service.rows(`select count(*)::int as n from ${sql}`, ...values))[0]?.['n']);
    },
  };
  for (const kind of kinds) await CHECKS[kind](world);
  return wrong;
}

interface World {
  readonly service: Installation;
  readonly tenant: Tenant;
  readonly expect: (what: string, holds: boolean, seen: unknown) => void;
  readonly create: (headers?: Readonly<Record<string, string>>, notes?: string) => Promise<Response>;
  readonly count: (sql: string, ...values: readonly unknown[]) => Promise<number>;
}

export const BURSTS = ['creates with one key', 'creates', 'moves', 'accepts', 'shares'] as const;
export type Burst = (typeof BURSTS)[number];

const CHECKS: Readonly<Record<Burst, (world: World) => Promise<void>>> = {
  async 'creates with one key'({ tenant, expect, create, count }) {
    const key = newId();
    const keyed = await times(MANY, () => create({ 'Idempotency-Key': key }, 'misma'));
    expect('one key', statuses(keyed, 201) >= 1 && statuses(keyed, 201) + statuses(keyed, 409) === MANY, tally(keyed));
    const same = await count("quotes where tenant_id = $1 and notes = 'misma'", tenant.id);
    expect('quotes of one key', same === 1, same);
  },
  /** Each quote has its number, without duplicates or gaps. */
  async creates({ tenant, expect, create, count }) {
    const before = await count('quotes where tenant_id = $1', tenant.id);
    const free = await times(MANY, () => create());
    expect('concurrent creates', statuses(free, 201) === MANY, tally(free));
    const numbers = free.map((res) => Number(res.body?.quoteNumber)).toSorted((a, b) => a - b);
    expect(
      'numbers',
      numbers.every((number, i) => number === before + i + 1),
      numbers,
    );
  },
  /** One status: one change. */
  async moves({ service, tenant, expect, create, count }) {
    const quote = await create();
    const moved = await times(MANY, () => send(service, tenant, quote));
    expect('moves', statuses(moved, 200) === 1 && statuses(moved, 400) === MANY - 1, tally(moved));
    const moves = await count("outbox_events where quote_id = $1 and type = 'quote.status_changed'", quote.body.id);
    expect('events of moves', moves === 1, moves);
  },
  /** One link: one signature. */
  async accepts({ service, tenant, expect, create, count }) {
    const quote = await create();
    await send(service, tenant, quote);
    const answer = { signerName: 'Laura', signerEmail: tenant.clientEmail, version: 1 };
    const accepted = await times(ACCEPTS, () =>
      service.http.post(`/api/portal/${quote.body.publicToken}/accept`, answer),
    );
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
  },
  /** One share: one mail. */
  async shares({ service, tenant, expect, create, count }) {
    const quote = await create();
    const shared = await times(MANY, () =>
      service.http.post(`/api/quotes/${quote.body.id}/share`, undefined, tenant.owner),
    );
    expect('shares', statuses(shared, 200) === MANY, tally(shared));
    const mails = (await service.parts.inbox.messages()).filter(
      ({ to, messageId }) => to.includes(tenant.clientEmail) && messageId?.startsWith('<share.'),
    ).length;
    const sent = await count("outbox_events where quote_id = $1 and type = 'quote.sent'", quote.body.id);
    expect('mails and events of shares', mails === 1 && sent === 1, { mails, sent });
  },
};

const send = ({ http }: Installation, { owner }: Tenant, quote: Response): Promise<Response> =>
  http.patch(`/api/quotes/${quote.body.id}/status`, { status: 'SENT' }, owner);
const times = (n: number, call: () => Promise<Response>) => Promise.all(Array.from({ length: n }, call));
const statuses = (answers: readonly Response[], status: number): number =>
  answers.filter((res) => res.status === status).length;
const tally = (answers: readonly Response[]) =>
  Object.fromEntries([...new Set(answers.map(({ status }) => status))].map((s) => [s, statuses(answers, s)]));
