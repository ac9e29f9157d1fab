-- A quote with five lines, its number, audit entry and event in one call: the least that PostgreSQL itself must do for
-- POST /api/quotes. Without row-level security, session, permission, amounts or JSON.
create or replace function bench_create(tenant text, client text, creator text) returns integer language plpgsql as $$
declare
  number integer;
  quote text := 'c' || substr(md5(random()::text), 1, 24);
begin
  perform 1 from tenants where id = tenant;
  perform 1 from clients where tenant_id = tenant and id = client and is_active;
  perform 1 from onboarding_steps where tenant_id = tenant and name = 'first_quote';
  update quote_counters set last_number = last_number + 1 where tenant_id = tenant returning last_number into number;
  insert into quotes (id, tenant_id, quote_number, client_id, client_contact_name, user_id, currency, tax_rate, subtotal, tax,
      shipping_cost, total, notes, expires_at, public_token_hash, public_token_sealed)
    values (quote, tenant, number, client, 'x', creator, 'MXN', 0.16, 1000, 160, 0, 1160, '', now() + interval '15 days',
      md5(quote), repeat('x', 90));
  insert into quote_items (id, tenant_id, quote_id, position, product_name, unit_price, quantity, subtotal)
    select 'c' || substr(md5(quote || position), 1, 24), tenant, quote, position, 'Silla ejecutiva', 100, 2, 200
    from generate_series(0, 4) position;
  insert into audit_logs (id, tenant_id, user_id, actor, action, entity, entity_id, metadata)
    values (quote, tenant, creator, 'user', 'create', 'quote', quote, repeat('x', 120));
  insert into outbox_events (id, tenant_id, type, quote_id, payload, root_event_id)
    values (quote, tenant, 'quote.created', quote, repeat('x', 1200), quote);
  return number;
end $$;
