// The dashboard as it is often written: the period's rows, counted and summed in JavaScript.

/** @param client a connected pg client that sees the tenant's rows. */
export async function dashboardInJs(client, tenant, from, until) {
  const { rows } = await client.query({
    name: 'rows-of-period',
    text: `select q.status, q.total, q.created_at, q.user_id, u.name as user_name, q.client_id, c.contact_name, c.company_name
      from quotes q join users u on u.id = q.user_id join clients c on c.id = q.client_id
      where q.tenant_id = $1 and q.created_at >= $2 and q.created_at < $3`,
    values: [tenant, from, until],
  });
  const groups = { status: new Map(), day: new Map(), user: new Map(), client: new Map() };
  for (const row of rows) {
    const amount = Number(row.total);
    const keys = {
      status: row.status,
      day: row.created_at.toISOString().slice(0, 10),
      user: row.user_id,
      client: row.client_id,
    };
    for (const [name, key] of Object.entries(keys)) {
      const known = groups[name].get(key) ?? { count: 0, amount: 0 };
      groups[name].set(key, { count: known.count + 1, amount: known.amount + amount });
    }
  }
  return groups;
}
