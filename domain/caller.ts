import type { Plan } from './plans.ts';
import type { Role } from './permissions.ts';
import type { Mover } from './quote-status.ts';
import type { WorkflowExecutionRef } from './workflow-execution-ref.ts';
import type { TimeZone } from './zone.ts';

export const KEY_SCOPES = ['full', 'read'] as const;
/** What a key may do: everything that its user may, or only read. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** How a caller authenticated; a key acts with its creator's permissions, within its scope. */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly scope: KeyScope;
      /** Null for a key that does not expire. */
      readonly expiresAt: Date | null;
    };

/** The caller of a request: a signed-in user or one of their API keys. Role and plan are read anew for each request. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly plan: Plan;
  /** Whether the business's owner has confirmed the e-mail address. */
  readonly isVerified: boolean;
  /** The business's time zone, in which the caller's dates are read. */
  readonly timeZone: TimeZone;
  /** The business's country: ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly credential: Credential;
  readonly requestId: string;
}

/** The author of a change, for the audit log: a member, a member's API key, or the service itself. */
export interface Actor {
  readonly tenantId: string;
  /** The user behind the change; null for the service itself. */
  readonly userId: string | null;
  readonly kind: 'user' | 'key' | 'mail' | 'portal' | 'automation' | 'operator' | 'service';
  /** Which status changes are allowed (`quote-status.ts`); `kind` is for the audit log. */
  readonly movesQuotesAs: Mover;
  readonly requestId: string | null;
  /** The workflow execution that makes the change, if one does. */
  readonly run?: WorkflowExecutionRef;
}

export const memberActor = ({ tenantId, userId, credential, requestId }: Caller): Actor => ({
  tenantId,
  userId,
  kind: credential.kind === 'key' ? 'key' : 'user',
  movesQuotesAs: 'member',
  requestId,
});
