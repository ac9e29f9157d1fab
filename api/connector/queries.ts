import { Template } from '../../db/models/template.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import { anyContains } from '../../db/reads/search.ts';
import { newestFirst } from '../../db/reads/newest-first.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import type { ListTemplates } from './schema.ts';

/** The caller and their business, for the connection test of a platform. */
export async function readMe(trx: TenantTransaction, { tenantId, userId }: Caller) {
  const { id, email, name, role } = await User.query(trx).findOne({ tenantId, id: userId }).throwIfNotFound();
  const { companyName, plan } = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  return { user: { id, email, name, role }, tenant: { id: tenantId, companyName, plan } };
}

/** A page of active templates, newest first, for a dropdown. */
export async function templateOptions(
  trx: TenantTransaction,
  tenantId: string,
  { search, page, limit }: ListTemplates,
) {
  const templates = await Template.query(trx)
    .where({ tenantId, isActive: true })
    .modify((query) => {
      if (search) void query.whereRaw(...anyContains(['templates.name'], search));
    })
    .orderBy(newestFirst())
    .limit(limit)
    .offset((page - 1) * limit);
  return templates.map(({ id, name }) => ({ id, name, label: name, value: id }));
}
