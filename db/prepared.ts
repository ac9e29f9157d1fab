import type { Knex } from 'knex';

/**
 * A query that each connection of the pool parses and plans once. It is for queries that run many times a second, whose
 * planning costs more than they do. One name stands for one text.
 */
export const prepared = <Row>(
  knex: Knex,
  name: string,
  { text, bindings }: { readonly text: string; readonly bindings: readonly (number | readonly string[])[] },
): Knex.Raw<{ rows: Row[] }> => knex.raw<{ rows: Row[] }>(text, [...bindings] as Knex.RawBinding[]).options({ name });
