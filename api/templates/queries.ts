import { Template } from '../../db/models/template.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { templateNotFound } from '../../domain/errors.ts';

/** The active templates with their creators, newest first. */
export const listTemplates = (trx: TenantTransaction, tenantId: string) =>
  Template.query(trx)
    .where({ tenantId, isActive: true })
    .withGraphFetched('creator')
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);

/** Finds a template of the business, including deleted ones, which have `isActive: false`. */
export async function findTemplate(trx: TenantTransaction, tenantId: string, id: string): Promise<Template> {
  const template = await Template.query(trx).findOne({ tenantId, id }).withGraphFetched('creator');
  if (!template) throw templateNotFound();
  return template;
}

/** Finds a template and locks it until the transaction ends. */
export async function lockTemplate(trx: TenantTransaction, tenantId: string, id: string): Promise<Template> {
  const template = await Template.query(trx).findOne({ tenantId, id }).forUpdate();
  if (!template) throw templateNotFound();
  return template;
}
