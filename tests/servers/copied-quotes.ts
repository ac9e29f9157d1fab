import { newId } from '../../db/ids.ts';

type Rows = (sql: string, ...values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** Makes the quote SENT, and copies it up to that number, in the order of their numbers; writes no events. */
export async function copySentQuotes(
  rows: Rows,
  quoteId: string,
  count: number,
): Promise<readonly { readonly id: string; readonly quoteNumber: number }[]> {
  const [first] = await rows(
    "update quotes set status = 'SENT' where id = $1 returning tenant_id, quote_number",
    quoteId,
  );
  const columns = (
    await rows(
      `select column_name from information_schema.columns where table_name = 'quotes'
          and column_name not in ('id', 'quote_number', 'display_number', 'public_token_hash') and is_generated = 'NEVER'`,
    )
  ).map(({ column_name: name }) => String(name));
  const list = columns.join(', ');
  const made = await rows(
    `insert into quotes (id, quote_number, public_token_hash, ${list})
     select c.id, q.quote_number + c.n, c.id, ${columns.map((name) => `q.${name}`).join(', ')}
       from quotes q, unnest($2::text[]) with ordinality as c (id, n)
      where q.id = $1 returning id, quote_number`,
    quoteId,
    Array.from({ length: count - 1 }, () => newId()),
  );
  await rows(
    'update quote_counters set last_number = last_number + $2 where tenant_id = $1',
    first?.['tenant_id'],
    count - 1,
  );
  return [
    { id: quoteId, quoteNumber: Number(first?.['quote_number']) },
    ...made.map((row) => ({ id: String(row['id']), quoteNumber: Number(row['quote_number']) })),
  ].toSorted((a, b) => a.quoteNumber - b.quoteNumber);
}
