import type { AuditLogRow } from './queries.ts';

export const auditLogEntry = (row: AuditLogRow) => ({
  id: row.id,
  action: row.action,
  entity: row.entity,
  entityId: row.entityId,
  // Written by recordAudit as a JSON object.
  metadata: JSON.parse(row.metadata) as object,
  tenantId: row.tenantId,
  createdAt: row.createdAt.toISOString(),
  user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '', email: row.userEmail ?? '' },
});
