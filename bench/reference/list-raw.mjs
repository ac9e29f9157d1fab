// The list as the least that could serve it: node:http and two prepared statements in parallel, no session, no
// permission, no row-level security (DATABASE_URL is a superuser's). Answers what GET /api/quotes answers.
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { ready } from './ready.mjs';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, min: 8, max: 8 });

const PAGE = {
  name: 'page',
  text: `select q.id, q.quote_number, q.display_number, q.title, q.reference, q.status, q.version, q.currency, q.subtotal, q.discount, q.tax, q.shipping_cost, q.total, q.notes,
      q.expires_at, to_char(q.expires_at at time zone t.time_zone, 'YYYY-MM-DD') as valid_until, q.view_count, q.created_at, q.answered_at, q.signer_name, q.signer_email, q.client_id, c.contact_name, c.company_name, c.email, c.phone, u.name as user_name,
      (select count(*)::int from quote_items i where i.tenant_id = q.tenant_id and i.quote_id = q.id) as items,
      (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) order by lower(l.name), l.id), '[]')
         from quote_labels ql join labels l on l.tenant_id = ql.tenant_id and l.id = ql.label_id
        where ql.tenant_id = q.tenant_id and ql.quote_id = q.id) as labels
    from (select * from quotes where tenant_id = $1 order by quote_number desc limit $2 offset $3) q
    join tenants t on t.id = q.tenant_id
    left join clients c on c.tenant_id = q.tenant_id and c.id = q.client_id
    left join users u on u.tenant_id = q.tenant_id and u.id = q.user_id
    order by q.quote_number desc`,
};
const COUNT = { name: 'count', text: 'select count(*)::int as count from quotes where tenant_id = $1' };

/** A quote of another status does not expire. */
const OPEN = new Set(['GENERATED', 'SENT']);

/** "100.000" of the column is "100.00" in the answer. */
const money = (text) => text.slice(0, -1);

const ANSWERED = new Set(['ACCEPTED', 'REJECTED']);

const answer = (row) =>
  row.answered_at && ANSWERED.has(row.status)
    ? {
        outcome: row.status,
        at: row.answered_at.toISOString(),
        version: row.version,
        signerName: row.signer_name,
        signerEmail: row.signer_email,
      }
    : null;

const entry = (row) => ({
  id: row.id,
  quoteNumber: row.quote_number,
  displayNumber: row.display_number,
  title: row.title,
  reference: row.reference,
  status: row.status,
  version: row.version,
  currency: row.currency,
  subtotal: money(row.subtotal),
  discount: money(row.discount),
  tax: money(row.tax),
  shippingCost: money(row.shipping_cost),
  total: money(row.total),
  notes: row.notes,
  expiresAt: row.expires_at.toISOString(),
  validUntil: row.valid_until,
  isExpired: OPEN.has(row.status) && row.expires_at <= new Date(),
  viewCount: row.view_count,
  createdAt: row.created_at.toISOString(),
  client: {
    id: row.client_id,
    contactName: row.contact_name,
    companyName: row.company_name,
    email: row.email,
    phone: row.phone,
  },
  user: { name: row.user_name },
  labels: row.labels,
  answer: answer(row),
  _count: { items: row.items },
});

async function list(request, response) {
  const { searchParams } = new URL(request.url, 'http://127.0.0.1');
  const page = Number(searchParams.get('page') ?? 1);
  const limit = Number(searchParams.get('limit') ?? 20);
  const tenant = searchParams.get('tenant');
  const [{ rows }, counted] = await Promise.all([
    pool.query({ ...PAGE, values: [tenant, limit, (page - 1) * limit] }),
    pool.query({ ...COUNT, values: [tenant] }),
  ]);
  const total = counted.rows[0].count;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ data: rows.map(entry), total, page, totalPages: Math.ceil(total / limit) }));
}

createServer((request, response) => void list(request, response)).listen(Number(process.env.PORT), '127.0.0.1', ready);
