import type { Actor } from '../../domain/caller.ts';
import { newId } from '../ids.ts';
import { AuditLog } from '../models/audit-log.ts';
import type { TenantTransaction } from '../with-tenant.ts';

/** Spec, section 2 (Audit log entry), and further actions in the same style (decisions, section 8). */
export type AuditAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'status_change'
  | 'invite'
  | 'duplicate'
  | 'quote.revised'
  | 'share'
  | 'login'
  | 'logout'
  | 'rotate'
  | 'replay'
  | 'transfer'
  | 'password_reset'
  | 'accept_invitation';

/** `Webhook` has its capital in the spec. */
export type AuditEntity =
  | 'quote'
  | 'client'
  | 'product'
  | 'tenant'
  | 'collaborator'
  | 'Webhook'
  | 'template'
  | 'automation'
  | 'label'
  | 'api_key'
  | 'session';

export interface AuditEntry {
  readonly action: AuditAction;
  readonly entity: AuditEntity;
  readonly entityId: string;
  /** What changed, before and after. Never a secret, never a token. */
  readonly metadata?: object;
}

/** Whoever did it; how it moves quotes does not matter here. */
type AuditActor = Omit<Actor, 'mover'> & Partial<Pick<Actor, 'mover'>>;

/** Writes down who did what, in the transaction that does it (decisions, section 8). */
export async function recordAudit(trx: TenantTransaction, actor: AuditActor, entry: AuditEntry): Promise<void> {
  await AuditLog.query(trx).insert({
    id: newId(),
    tenantId: actor.tenantId,
    userId: actor.userId,
    actor: actor.kind,
    action: entry.action,
    entity: entry.entity,
    entityId: entry.entityId,
    metadata: JSON.stringify(entry.metadata ?? {}),
    requestId: actor.requestId,
  });
}
