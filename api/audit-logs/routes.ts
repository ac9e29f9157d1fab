import { NEWEST } from '../../db/reads/keyset.ts';
import { pageBody, startOf } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import { auditLogEntry } from './present.ts';
import { listAuditLogs } from './queries.ts';
import { AuditLogPage, ListAuditLogs } from './schema.ts';

const REFUSAL = 'Parámetros inválidos';

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
    queryRefusal: REFUSAL,
    // An empty date is malformed, not absent.
    queryEmpty: ['from', 'to'],
    responses: { 200: { description: 'Una página, de lo más nuevo a lo más viejo', schema: AuditLogPage } },
    handle: ({ caller, query, inTenant }) =>
      inTenant(
        async (trx) => {
          const scope = { list: 'audit logs', tenantId: caller.tenantId, query };
          const after = startOf(scope, NEWEST, REFUSAL);
          const found = await listAuditLogs(trx, caller, { ...query, after });
          return pageBody(scope, found.entries.map(auditLogEntry), found);
        },
        { isSnapshot: true },
      ),
  }),
];
