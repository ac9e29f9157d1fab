import { Client } from 'pg';

/** A database with 200 000 quotes: one business with three quarters of them, fifty that share the rest. */

const BIG = 150_000;
const SMALL = 50;
const OF_SMALL = 1_000;

const id = (letter: string, n: string): string => `'c${letter}' || lpad((${n})::text, 23, '0')`;

/** The business that the queries are asked for: the worst case, since it owns most of every table. */
export const big = {
  tenantId: `ct${'0'.repeat(23)}`,
  owner: `cu${'0'.repeat(23)}`,
  collaborator: `cu${'1'.padStart(23, '0')}`,
  client: `cc${'5'.padStart(23, '0')}`,
  quote: `cq${'149000'.padStart(23, '0')}`,
} as const;

/** Tenant t of quote n: 0 is the big one. */
const TENANT_OF = `case when n <= ${BIG} then 0 else 1 + (n - ${BIG} - 1) / ${OF_SMALL} end`;

const STATEMENTS = [
  `insert into tenants (id, slug, company_name, plan, currency)
   select ${id('t', 'n')}, 't-' || lpad(n::text, 8, '0'), 'Negocio ' || n, 'PRO', 'MXN' from generate_series(0, ${SMALL}) n`,
  // User 10 t + k: ten in each business, the first of them its owner.
  `insert into users (id, tenant_id, email, name, role)
   select ${id('u', 'n')}, ${id('t', 'n / 10')}, 'u' || n || '@example.com', 'Usuario ' || n,
     case when n % 10 = 0 then 'OWNER' else 'COLLABORATOR' end
   from generate_series(0, ${10 * (SMALL + 1) - 1}) n`,
  // 10 000 clients in the big business, 100 in each other; a few have a rare name, half a common one.
  `insert into clients (id, tenant_id, contact_name, company_name, email, phone, address, notes, created_at)
   select ${id('c', 'n')}, ${id('t', 'case when n < 10000 then 0 else 1 + (n - 10000) / 100 end')},
     case when n % 2 = 0 then 'María ' else 'José ' end || n, case when n % 2500 = 7 then 'Zapatería Ñandú ' || n else 'Empresa ' || n end,
     'cliente' || n || '@example.com', '55 1234 5678', 'Av. Insurgentes Sur ' || n || ', Col. Del Valle, Ciudad de México',
     'Paga a 30 días. Recibe de lunes a viernes de 9 a 14 horas, con cita.', timestamptz '2024-11-01' + n * interval '1 hour'
   from generate_series(0, ${10_000 + 100 * SMALL - 1}) n`,
  `insert into quotes (id, tenant_id, quote_number, status, client_id, client_contact_name, user_id, currency, tax_rate,
     subtotal, tax, shipping_cost, total, expires_at, public_token_hash, public_token_sealed, created_at)
   select ${id('q', 'n')}, ${id('t', 't')}, number,
     (array['GENERATED','SENT','SENT','SENT','WON','WON','LOST','ACCEPTED','REJECTED','WON'])[1 + n % 10],
     ${id('c', 'case when t = 0 then (n * 7919) % 10000 else 10000 + (t - 1) * 100 + n % 100 end')}, 'x',
     ${id('u', '10 * t + n % 10')}, case when n % 20 = 0 then 'USD' else 'MXN' end, 0.16,
     amount, amount * 0.16, 0, amount * 1.16, made + interval '15 days', md5(n::text), 'x', made
   from (select n, t, n - case when t = 0 then 0 else ${BIG} + (t - 1) * ${OF_SMALL} end as number, 100 * (1 + n % 997) as amount,
           timestamptz '2024-11-27' + ((n - 1) % ${BIG}) * interval '7 minutes' as made
         from (select n, ${TENANT_OF} as t from generate_series(1, ${BIG + SMALL * OF_SMALL}) n) numbered) quote`,
  `insert into quote_counters (tenant_id, last_number) select tenant_id, max(quote_number) from quotes group by 1`,
  `insert into quote_items (id, tenant_id, quote_id, position, product_name, unit_price, quantity, subtotal)
   select 'ci' || k || substr(id, 4), tenant_id, id, k, 'Silla', 50, 1, 50 from quotes, generate_series(0, 1) k`,
  `insert into labels (id, tenant_id, name, color) values (${id('l', '1')}, '${big.tenantId}', 'Urgente', '#ff0000')`,
  `insert into quote_labels (tenant_id, quote_id, label_id)
   select tenant_id, id, ${id('l', '1')} from quotes where tenant_id = '${big.tenantId}' and quote_number % 500 = 0`,
  `insert into audit_logs (id, tenant_id, user_id, actor, action, entity, entity_id, metadata, created_at)
   select 'ca' || k || substr(id, 4), tenant_id, user_id, 'user', case when k = 0 then 'create' else 'status_change' end, 'quote', id,
     '{}', created_at + k * interval '1 day'
   from quotes, generate_series(0, 1) k where k = 0 or quote_number % 2 = 0`,
  'vacuum analyze',
] as const;

/** Fills a migrated, empty database. Takes half a minute. */
export async function seedLargeBusiness(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const statement of STATEMENTS) await client.query(statement);
  } finally {
    await client.end();
  }
}
