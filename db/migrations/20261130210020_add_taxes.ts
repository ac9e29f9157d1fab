import type { Knex } from 'knex';

const NO_MINOR = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']; // prettier-ignore
const THREE_MINOR = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];

/**
 * The tax table of businesses, null being the country's, and the frozen taxes of quotes. Existing quotes have the default
 * tax on their subtotal; what their line discounts took is computed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    table.text('taxes');
  });
  await knex.schema.alterTable('quotes', (table) => {
    // JSON as text: TaxOfQuote[]. Null in rows of the version before this migration: the default tax.
    table.text('taxes');
    // As the column of the same kind in quote_items.
    table.text('shipping_taxes');
    table.decimal('discount_pct', 7, 4).notNullable().defaultTo(0);
    // Wider than totals: a line that is free by its discount may have any price.
    table.decimal('discount', 24, 3).notNullable().defaultTo(0);
    table.check('discount_pct between 0 and 100', [], 'quotes_discount_pct');
  });
  await knex.raw(
    `update quotes q
        set taxes = json_build_array(json_build_object(
              'code', 'DEFAULT', 'name', case t.country when 'MX' then 'IVA' else 'Impuesto' end, 'kind', 'transfer',
              'rate', q.tax_rate::text, 'base', q.subtotal::text, 'amount', q.tax::text))::text,
            discount = coalesce((
              select sum(round(i.quantity * i.unit_price,
                               case when q.currency = any(?) then 0 when q.currency = any(?) then 3 else 2 end) - i.subtotal)
                from quote_items i
               where i.tenant_id = q.tenant_id and i.quote_id = q.id and i.discount_pct <> 0), 0)
       from tenants t where t.id = q.tenant_id`,
    [NO_MINOR, THREE_MINOR],
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('quotes', (table) => {
    table.dropChecks(['quotes_discount_pct']);
    table.dropColumns('taxes', 'shipping_taxes', 'discount_pct', 'discount');
  });
  await knex.schema.alterTable('tenants', (table) => {
    table.dropColumn('taxes');
  });
}
