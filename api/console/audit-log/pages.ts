import { auditLogPage } from '../../../console/audit-log/list-page.ts';
import { fieldsOf } from '../../../console/forms/form-state.ts';
import { hasFeature } from '../../../domain/plans.ts';
import { type Page, page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { pick } from '../pick.ts';

/** Filters that are no dates are dropped, as a hand-written address may have them. */
const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);

export const auditLogPages: readonly Page[] = [
  page({
    method: 'GET',
    path: '/app/audit-log',
    access: 'config:manage',
    feature: 'audit_log_ui',
    handle: async ({ call, query: given, caller: { plan, timeZone } }) => {
      const { from, to, ...rest } = pick(given, ['action', 'entity', 'userId', 'from', 'to', 'cursor']);
      const query = { ...rest, ...(isDay(from) && { from }), ...(isDay(to) && { to }) };
      const { data, total, nextCursor } = await call('listAuditLogs', { query });
      return auditLogPage({
        entries: data,
        total,
        nextCursor,
        filter: newForm(fieldsOf(query)),
        query,
        people: hasFeature(plan, 'collaborators') ? await call('listCollaborators') : [],
        timeZone,
      });
    },
  }),
];
