import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../../domain/caller.ts';
import { newId } from '../ids.ts';
import { named, send } from '../pipeline.ts';
import type { TenantTransaction } from '../with-tenant.ts';

/** Actions are part of the API: callers filter the audit log by them. */
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
  | 'login_failed'
  | 'logout'
  | 'rotate'
  | 'replay'
  | 'transfer'
  | 'password_reset'
  | 'password_change'
  | 'email_verified'
  | 'email_verification_sent'
  | 'reset_link'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'recovery_codes_renewed'
  | 'accept_invitation'
  | 'import'
  | 'message'
  | 'changes_requested';

/** Part of the API, as actions are; only `Webhook` has a capital there. */
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

/** Who did it; how the actor moves quotes is irrelevant here. */
type AuditActor = Omit<Actor, 'movesQuotesAs'> & Partial<Pick<Actor, 'movesQuotesAs'>>;

/** Records who did what, in the transaction that does it: no change without its entry, no entry without its change. */
export async function recordAudit(trx: TenantTransaction, actor: AuditActor, entry: AuditEntry): Promise<void> {
  await send(trx, [named('record-audit', auditEntry(actor, entry))]);
}

/** The insert of an entry, for statements that write more than that. */
export function auditEntry(actor: AuditActor, { action, entity, entityId, metadata }: AuditEntry): Sql {
  const details = JSON.stringify({ ...metadata, ...(actor.run && { run: actor.run }) });
  return sql`insert into audit_logs (id, tenant_id, user_id, actor, action, entity, entity_id, metadata, request_id)
    values (${newId()}, ${actor.tenantId}, ${actor.userId}, ${actor.kind}, ${action}, ${entity}, ${entityId}, ${details},
            ${actor.requestId})`;
}
