import { type Static, Type } from 'typebox';
import {
  cursor,
  cursorPageOf,
  named,
  dropsUnknown,
  id,
  jsonObject,
  limit,
  nullable,
  page,
  timestamp,
} from '../schema.ts';

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-01'] }));

/** Anything malformed gets the same message (`queryRefusal`). */
export const ListAuditLogs = dropsUnknown({
  action: Type.Optional(Type.String({ maxLength: 100, examples: ['status_change'] })),
  entity: Type.Optional(Type.String({ maxLength: 100, examples: ['quote'] })),
  userId: Type.Optional(Type.String({ pattern: '^c[a-z0-9]{8,31}$', description: 'CUID de quien lo hizo' })),
  from: day('desde este día, en la zona horaria del negocio'),
  to: day('hasta este día completo, en la zona horaria del negocio'),
  cursor: cursor(),
  page: page({ maximum: 1000 }),
  limit: limit({ default: 25 }),
});
export type ListAuditLogs = Static<typeof ListAuditLogs>;

export const AuditLogPage = cursorPageOf(
  'AuditLogPage',
  named('AuditLog', {
    id: id(),
    action: Type.String({ examples: ['status_change'] }),
    entity: Type.String({ examples: ['quote'] }),
    entityId: id(),
    metadata: jsonObject({
      description: 'lo que cambió',
      examples: [{ quoteNumber: 12, from: 'SENT', to: 'WON' }],
    }),
    tenantId: id(),
    createdAt: timestamp(),
    user: nullable(
      named(
        'AuditLogUser',
        {
          id: id(),
          name: Type.String({ examples: ['Diana Ruiz'] }),
          email: Type.String({ examples: ['diana@example.com'] }),
        },
        { description: 'null cuando lo hizo el servicio o el cliente' },
      ),
    ),
  }),
);
