import type { Client } from 'pg';

/** Businesses of one size, made by PostgreSQL itself. The same numbers give the same rows. */

export interface DataSet {
  readonly name: string;
  readonly tenants: number;
  readonly quotesEach: number;
  readonly clientsEach: number;
  readonly itemsPerQuote: number;
  readonly auditEach: number;
}

/** 200 000 quotes each: as fifty businesses, and as one. `small` forms are for what does not depend on the size. */
export const DATA_SETS = {
  many: { name: 'many', tenants: 50, quotesEach: 4_000, clientsEach: 200, itemsPerQuote: 5, auditEach: 4_000 },
  one: { name: 'one', tenants: 1, quotesEach: 200_000, clientsEach: 10_000, itemsPerQuote: 1, auditEach: 1_000_000 },
  smallMany: { name: 'small_many', tenants: 4, quotesEach: 500, clientsEach: 50, itemsPerQuote: 5, auditEach: 500 },
  smallOne: {
    name: 'small_one',
    tenants: 1,
    quotesEach: 20_000,
    clientsEach: 1_000,
    itemsPerQuote: 1,
    auditEach: 5_000,
  },
} as const satisfies Record<string, DataSet>;

const USERS_EACH = 10;

const padded = (letter: string, n: number): string => `c${letter}${String(n).padStart(23, '0')}`;

/** The n-th business, its owner, and the owner's session. Businesses count from 0. */
export const tenantId = (n: number): string => padded('t', n);
export const ownerId = (n: number): string => padded('u', n * USERS_EACH);
export const sessionId = (n: number): string => padded('s', n);
export const ownerEmail = (n: number): string => `u${n * USERS_EACH}@negocio.example`;
/** The k-th client of the n-th business. */
export const clientId = (set: DataSet, n: number, k: number): string => padded('c', n * set.clientsEach + k);

const id = (letter: string, n: string): string => `'c${letter}' || lpad((${n})::text, 23, '0')`;

/** The period of all quotes and entries: they are spread over it evenly, whatever their number. */
const YEARS = `interval '730 days'`;
const FIRST = `timestamptz '2024-11-27'`;

/** Entries of one seal (db/writes/seal-audit.ts). */
const SEALED = 10_000;

function statements({ tenants, quotesEach, clientsEach, itemsPerQuote, auditEach }: DataSet): readonly string[] {
  const last = (each: number) => tenants * each - 1;
  return [
    `insert into tenants (id, slug, company_name, plan, currency)
     select ${id('t', 'n')}, 'n-' || lpad(n::text, 8, '0'), 'Negocio ' || n, 'PRO', 'MXN' from generate_series(0, ${tenants - 1}) n`,
    `insert into users (id, tenant_id, email, name, role)
     select ${id('u', 'n')}, ${id('t', `n / ${USERS_EACH}`)}, 'u' || n || '@negocio.example', 'Usuario ' || n,
       case when n % ${USERS_EACH} = 0 then 'OWNER' else 'COLLABORATOR' end from generate_series(0, ${last(USERS_EACH)}) n`,
    // Half of the names are common; one client in 2 500 has a rare one.
    `insert into clients (id, tenant_id, contact_name, company_name, email, phone, address, created_at)
     select ${id('c', 'n')}, ${id('t', `n / ${clientsEach}`)}, case when n % 2 = 0 then 'María ' else 'José ' end || n,
       case when n % 2500 = 7 then 'Zapatería Ñandú ' || n else 'Empresa ' || n end, 'cliente' || n || '@example.com',
       '55 1234 5678', 'Av. Insurgentes Sur ' || n || ', Col. Del Valle, Ciudad de México', ${FIRST} + n * interval '1 hour'
     from generate_series(0, ${last(clientsEach)}) n`,
    `insert into quotes (id, tenant_id, quote_number, display_number, reference, status, client_id, client_contact_name, user_id, currency, tax_rate,
       subtotal, tax, shipping_cost, total, notes, expires_at, public_token_hash, public_token_sealed, created_at,
       answered_at, signer_name, signer_email)
     select ${id('q', 'n')}, ${id('t', 't')}, k + 1, 'COT-' || k + 1, 'OC-' || k % 4000,
       (array['GENERATED','SENT','SENT','SENT','WON','WON','LOST','ACCEPTED','REJECTED','WON'])[1 + k % 10],
       ${id('c', `t * ${clientsEach} + (k * 7919) % ${clientsEach}`)}, 'x', ${id('u', `t * ${USERS_EACH} + k % ${USERS_EACH}`)},
       'MXN', 0.16, amount, amount * 0.16, 0, amount * 1.16, 'Entrega en 5 días.', made + interval '15 days', md5(n::text), 'x', made,
       case when k % 10 in (7, 8) then made + interval '3 days' end, case when k % 10 = 7 then 'María ' || k end,
       case when k % 10 = 7 then 'cliente' || k || '@example.com' end
     from (select n, n / ${quotesEach} as t, n % ${quotesEach} as k, 100 * (1 + n % 997) as amount,
             ${FIRST} + (n % ${quotesEach}) * (${YEARS} / ${quotesEach}) as made
           from generate_series(0, ${last(quotesEach)}) n) quote`,
    `insert into quote_counters (tenant_id, last_number) select id, ${quotesEach} from tenants`,
    `insert into onboarding_steps (tenant_id, name) select id, 'first_quote' from tenants`,
    `insert into quote_items (id, tenant_id, quote_id, position, product_name, unit_price, quantity, subtotal)
     select 'ci' || k || substr(id, 4), tenant_id, id, k, 'Silla ejecutiva', 50, 1, 50
     from quotes, generate_series(0, ${itemsPerQuote - 1}) k`,
    `insert into quote_metadata (tenant_id, quote_id, name, value)
     select tenant_id, id, 'project', 'P-' || quote_number % 4000 from quotes`,
    `insert into labels (id, tenant_id, name, color) select ${id('l', 'n')}, ${id('t', 'n')}, 'Urgente', '#ff0000'
     from generate_series(0, ${tenants - 1}) n`,
    `insert into quote_labels (tenant_id, quote_id, label_id)
     select q.tenant_id, q.id, l.id from quotes q join labels l using (tenant_id) where q.quote_number % 5 = 0`,
    `insert into audit_logs (id, tenant_id, user_id, actor, action, entity, entity_id, metadata, created_at)
     select ${id('a', 'n')}, ${id('t', 't')}, ${id('u', `t * ${USERS_EACH} + k % ${USERS_EACH}`)}, 'user',
       case when k % 3 = 0 then 'create' else 'status_change' end, 'quote', ${id('q', `t * ${quotesEach} + k % ${quotesEach}`)}, '{}',
       ${FIRST} + k * (${YEARS} / ${auditEach})
     from (select n, n / ${auditEach} as t, n % ${auditEach} as k from generate_series(0, ${last(auditEach)}) n) entry`,
    // Housekeeping has sealed all but the newest; the hashes hold nothing.
    `insert into audit_seals (tenant_id, number, until_at, entries, previous_hash, hash)
     select id, n, ${FIRST} + n * ${SEALED} * (${YEARS} / ${auditEach}), ${SEALED}, repeat('0', 64), repeat('0', 64)
     from tenants, generate_series(1, ${Math.floor((auditEach - 1) / SEALED)}) n`,
  ];
}

/** Fills a migrated, empty database. As a superuser: triggers of foreign keys would double the time and find nothing. */
export async function seed(client: Client, set: DataSet): Promise<void> {
  await client.query(`set session_replication_role = replica`);
  for (const statement of statements(set)) await client.query(statement);
  await client.query('vacuum analyze');
}
