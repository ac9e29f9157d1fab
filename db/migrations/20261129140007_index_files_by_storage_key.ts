import type { Knex } from 'knex';

/** Storage lists its objects in byte order: the table of files is compared with that list page by page. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index files_by_storage_key on files (storage_key collate "C")');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index files_by_storage_key');
}
