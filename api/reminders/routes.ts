import { Type } from 'typebox';
import { Reminder, REMINDER_STATUSES } from '../../db/models/reminder.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { can } from '../../domain/permissions.ts';
import { type Route, route } from '../route.ts';
import { named, id, nullable, oneOf, timestamp } from '../schema.ts';

const ReminderBody = named('Reminder', {
  id: id(),
  quoteId: id(),
  automationId: nullable(id()),
  message: Type.String({ examples: ['Llamar a Laura Méndez'] }),
  dueAt: timestamp(),
  status: oneOf('ReminderStatus', REMINDER_STATUSES),
  firedAt: nullable(timestamp()),
  createdAt: timestamp(),
});

/** Limit of the list, which has no pages. */
const MOST = 1_000;

export const reminderRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/reminders',
    operationId: 'listReminders',
    tag: 'Reminders',
    summary: 'Los recordatorios',
    description: `Los propios; un dueño ve los de todo el negocio. Del más lejano al más antiguo, a lo más ${MOST}.`,
    access: 'authenticated',
    responses: { 200: { description: 'Los recordatorios', schema: Type.Array(ReminderBody) } },
    handle: ({ caller, inTenant }) => inTenant(async (trx) => (await listReminders(trx, caller)).map(reminderBody)),
  }),
];

const listReminders = (trx: TenantTransaction, { tenantId, userId, role }: Caller) =>
  Reminder.query(trx)
    .where({ tenantId, ...(!can(role, 'quotes:read_all') && { userId }) })
    .orderBy([
      { column: 'dueAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(MOST);

const reminderBody = (reminder: Reminder) => ({
  id: reminder.id,
  quoteId: reminder.quoteId,
  automationId: reminder.automationId,
  message: reminder.message,
  dueAt: reminder.dueAt.toISOString(),
  status: reminder.status,
  firedAt: reminder.firedAt?.toISOString() ?? null,
  createdAt: reminder.createdAt.toISOString(),
});
