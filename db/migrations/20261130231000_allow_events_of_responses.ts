import type { Knex } from 'knex';

const BEFORE = "array['quote.created', 'quote.status_changed', 'quote.sent', 'client.created', 'product.created']";
const AFTER = `array['quote.created', 'quote.status_changed', 'quote.sent', 'quote.viewed', 'quote.accepted',
  'quote.rejected', 'quote.changes_requested', 'quote.version_created', 'quote.expiring', 'quote.expired',
  'client.created', 'product.created']`;

const allow = (events: string) => `alter table webhooks drop constraint webhooks_events,
  add constraint webhooks_events check (cardinality(events) > 0 and events <@ ${events})`;

/** Webhooks may subscribe to what clients do with a quote, to its versions and to its expiry. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(allow(AFTER));
}

export async function down(knex: Knex): Promise<void> {
  // A list may not be empty: a webhook with none of the remaining events is switched off and gets a placeholder.
  await knex.raw(
    `update webhooks w set events = case when cardinality(k.kept) > 0 then k.kept else array['quote.created'] end,
            is_active = is_active and cardinality(k.kept) > 0
       from (select id, array(select e from unnest(events) e where e = any(${BEFORE})) as kept from webhooks) k
      where k.id = w.id and not w.events <@ ${BEFORE}`,
  );
  await knex.raw(allow(BEFORE));
}
