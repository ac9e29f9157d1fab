import type { Plan } from './plans.ts';
import type { Role } from './permissions.ts';
import type { Mover } from './quote-status.ts';
import type { WorkflowExecutionRef } from './workflow-execution-ref.ts';
import type { TimeZone } from './zone.ts';

/** Who asks: a signed-in user or one of their API keys. Role and plan are read anew for each request. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  readonly role: Role;
  readonly plan: Plan;
  /** Whose days the caller's dates are: the business's. */
  readonly timeZone: TimeZone;
  /** The business's: ISO 3166-1 alpha-2. */
  readonly country: string;
  /** How the caller proved it; a key acts with its creator's permissions. */
  readonly credential: { readonly kind: 'session' | 'key'; readonly id: string };
  readonly requestId: string;
}

/** Who changed something, for the audit log: a member, a key of theirs, or the service on its own. */
export interface Actor {
  readonly tenantId: string;
  /** The user behind the change, or null where no user stands behind it. */
  readonly userId: string | null;
  readonly kind: 'user' | 'key' | 'mail' | 'portal' | 'automation' | 'operator' | 'service';
  readonly mover: Mover;
  readonly requestId: string | null;
  /** The workflow's run in which it happens, where it happens in one. */
  readonly run?: WorkflowExecutionRef;
}

export const memberActor = ({ tenantId, userId, credential, requestId }: Caller): Actor => ({
  tenantId,
  userId,
  kind: credential.kind === 'key' ? 'key' : 'user',
  mover: 'member',
  requestId,
});
