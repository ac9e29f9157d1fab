import { type Route, route } from '../route.ts';
import { paged } from '../schema.ts';
import { auditLogEntry } from './present.ts';
import { listAuditLogs } from './queries.ts';
import { AuditLogPage, ListAuditLogs } from './schema.ts';

export const auditLogRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/audit-logs',
    operationId: 'listAuditLogs',
    tag: 'Audit log',
    summary: 'Quién hizo qué',
    access: 'config:manage',
    feature: 'audit_log_ui',
    query: ListAuditLogs,
    queryRefusal: 'Parámetros inválidos',
    // An empty date is malformed, not absent.
    queryEmpty: ['from', 'to'],
    responses: { 200: { description: 'Una página, de lo más nuevo a lo más viejo', schema: AuditLogPage } },
    handle: ({ caller, query, inTenant }) =>
      inTenant(
        async (trx) => {
          const { entries, total } = await listAuditLogs(trx, caller, query);
          return paged(entries.map(auditLogEntry), { ...query, total });
        },
        { isSnapshot: true },
      ),
  }),
];
