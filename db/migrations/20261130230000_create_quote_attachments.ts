import type { Knex } from 'knex';
import { ROLES } from '../roles.ts';
import { protectTenantTable } from '../row-security.ts';

const DAY_OLD = `created_at < now() - interval '1 day'`;
const SIGNATURE = 'select from signatures s where s.tenant_id = files.tenant_id';
const OF_PDFS = `when 'signed_pdf' then not exists (${SIGNATURE} and s.pdf_file_id = files.id)
  when 'quote_pdf' then not exists
    (${SIGNATURE} and s.quote_id = files.quote_id and s.shown_pdf_sha256 = files.sha256)`;

/** Attachments of quotes. Their files are stored once per business and content, and shared by references. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quote_attachments', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('quote_id').notNullable();
    table.text('file_id').notNullable();
    table.integer('position').notNullable();
    table.text('name').notNullable();
    // Repeated from the file, which never changes: reads of a quote need no join.
    table.text('content_type').notNullable();
    table.integer('size_bytes').notNullable();
    table.text('sha256').notNullable();
    // Snapshots of earlier versions refer to files that later ones removed.
    table.integer('from_version').notNullable();
    table.integer('until_version');
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now());
    table.unique(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'quote_id']).references(['tenant_id', 'id']).inTable('quotes');
    // A file cannot be deleted while a quote refers to it.
    table.foreign(['tenant_id', 'file_id']).references(['tenant_id', 'id']).inTable('files');
    table.check("content_type in ('application/pdf', 'image/png', 'image/jpeg')", [], 'quote_attachments_content_type');
    table.check('char_length(name) between 1 and 120', [], 'quote_attachments_name');
    table.check('until_version >= from_version', [], 'quote_attachments_versions');
  });
  await knex.raw('create index quote_attachments_of_quote on quote_attachments (tenant_id, quote_id, position)');
  await knex.raw('create index quote_attachments_of_file on quote_attachments (tenant_id, file_id)');
  await protectTenantTable(knex, 'quote_attachments', {
    app: ['select', 'insert', 'update (position, until_version)', 'delete'],
    dispatcher: ['select (tenant_id, quote_id, file_id, until_version)'],
  });

  await knex.raw('alter table files drop constraint files_kind');
  await knex.raw(
    "alter table files add constraint files_kind check (kind in ('quote_pdf', 'signed_pdf', 'logo', 'attachment'))",
  );
  // An upload of a stored file refreshes its age, so that housekeeping cannot delete it before it is referenced.
  await knex.raw(`grant update (created_at) on files to ${ROLES.app}`);
  await purgePolicy(
    knex,
    `${OF_PDFS} when 'attachment' then not exists
       (select from quote_attachments a where a.tenant_id = files.tenant_id and a.file_id = files.id)`,
  );
}

async function purgePolicy(knex: Knex, cases: string): Promise<void> {
  await knex.raw('drop policy purge on files');
  await knex.raw(`create policy purge on files for delete to ${ROLES.dispatcher}
    using (${DAY_OLD} and case kind ${cases} else false end)`);
}

export async function down(knex: Knex): Promise<void> {
  await purgePolicy(knex, OF_PDFS);
  await knex.raw(`revoke update (created_at) on files from ${ROLES.app}`);
  await knex.raw('drop table quote_attachments');
  await knex.raw("delete from files where kind = 'attachment'");
  await knex.raw('alter table files drop constraint files_kind');
  await knex.raw("alter table files add constraint files_kind check (kind in ('quote_pdf', 'signed_pdf', 'logo'))");
}
