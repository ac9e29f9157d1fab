import { decimalString, isCurrency, moneyString } from '../../domain/money.ts';
import type { ResponseBody } from '../schema.ts';
import type { AuditLogRow } from './queries.ts';
import type { AuditLogPage } from './schema.ts';

export const auditLogEntry = (row: AuditLogRow): ResponseBody<typeof AuditLogPage>['data'][number] => ({
  id: row.id,
  action: row.action,
  entity: row.entity,
  entityId: row.entityId,
  // `recordAudit` writes a JSON object.
  metadata: shown(JSON.parse(row.metadata)) as object,
  tenantId: row.tenantId,
  createdAt: row.createdAt.toISOString(),
  user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '', email: row.userEmail ?? '' },
});

const AMOUNTS: ReadonlySet<string> = new Set(['subtotal', 'tax', 'shippingCost', 'total', 'amount']);
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Formats money as decimal strings. Older entries contain other forms and are sealed, so they cannot be migrated. */
function shown(value: unknown, currency?: string): unknown {
  if (Array.isArray(value)) return value.map((member) => shown(member, currency));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const own = members.find(([name]) => name === 'currency')?.[1] as unknown;
  const inForce = typeof own === 'string' && isCurrency(own) ? own : currency;
  return Object.fromEntries(members.map(([name, member]) => [name, shownMember(name, member, inForce)]));
}

function shownMember(name: string, value: unknown, currency: string | undefined): unknown {
  const isDecimal = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  if (isDecimal && name === 'unitPrice') return decimalString(value);
  if (isDecimal && AMOUNTS.has(name)) return currency ? moneyString(value, currency) : decimalString(value);
  return shown(value, currency);
}
