import type { Static, TSchema } from 'typebox';
import type { Caller } from '../domain/caller.ts';
import type { ServiceError } from '../domain/errors.ts';
import type { Permission } from '../domain/permissions.ts';
import type { Feature } from '../domain/plans.ts';
import type { NamedStatement, Sender } from '../db/pipeline.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { RateClass } from './rate-limits.ts';
import type { Upload } from './read-upload.ts';

/** The largest body of any route but uploads (decisions, section 1). */
export const MAX_BODY_BYTES = 1024 * 1024;

/** What a handler answers. A Buffer goes out as it is, with its content type. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sets the session cookie, or clears it. */
  readonly session?: { readonly token: string; readonly expires: Date } | 'clear';
}

export interface DocumentedResponse {
  readonly description: string;
  /** JSON, unless a content type is given. */
  readonly schema?: TSchema;
  readonly contentType?: string;
}

/**
 * Runs the effect of a request in one transaction of the caller's tenant. With an Idempotency-Key the answer is stored in
 * that same transaction, and a repeated request gets it without a second effect (decisions, section 1).
 */
export type Transact = (effect: (trx: TenantTransaction) => Promise<Answer>) => Promise<Answer>;

/** What a pipelined effect answers, and its last statements, which leave together with the commit. */
export interface PipelinedAnswer extends Answer {
  readonly statements: readonly NamedStatement[];
}

/** The same in a pipelined transaction, for hot paths. */
export type TransactPipelined = (effect: (tx: Sender) => Promise<PipelinedAnswer>) => Promise<Answer>;

/** Work outside the database on behalf of one request, however often that is repeated. */
export interface Attempt {
  /** A CUID, the same for a repeated Idempotency-Key. */
  readonly id: string;
  /** Whether it has an Idempotency-Key, under which its outcome may be asked for later. */
  readonly isKeyed: boolean;
  /** Whether it was begun before, by a request whose end nobody knows: it may have had its effect. */
  readonly isRepeated: boolean;
}

/** What a handler gets; it never sees Koa's context. */
export interface Input<Access, P, Q, B> {
  readonly caller: Access extends 'public' ? undefined : Caller;
  readonly transact: Access extends 'public' ? undefined : Transact;
  readonly transactPipelined: Access extends 'public' ? undefined : TransactPipelined;
  /** For a route that answers after work outside the database. */
  readonly attempt: Attempt;
  readonly requestId: string;
  /** Aborted when the caller has its answer or has left: work that only this caller waits for is then dropped. */
  readonly signal: AbortSignal;
  /** The caller's address, for limits and evidence. */
  readonly ip: string;
  /** As the caller's program names itself, at most 512 characters; evidence too. */
  readonly userAgent: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/**
 * One declaration a route. The guards, the router and the OpenAPI document are read off it.
 *
 * `access`: a permission of spec section 5, `authenticated` for any signed-in caller, or `public`.
 */
export interface RouteDeclaration<Access, P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Koa's form: /api/quotes/:id */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Plan gate of the whole route; gates that hang on a member are in the handler. */
  readonly feature?: Feature;
  /** How often it may be called (`rate-limits.ts`). */
  readonly rate: RateClass;
  /**
   * What an Idempotency-Key does, on every POST: `transaction` stores the answer with the effect (the handler calls
   * `transact` or `transactPipelined`), `attempt` keeps a running row around work outside the database, `none` ignores the header.
   */
  readonly idempotency?: 'transaction' | 'attempt' | 'none';
  readonly params?: P;
  readonly query?: Q;
  /** What any malformed query answers, where the spec has a sentence for it. */
  readonly queryRefusal?: string;
  /** Parameters that are not as absent when they are empty. */
  readonly queryEmpty?: readonly string[];
  readonly body?: B;
  /** How many bytes of JSON it takes, also unpacked; `MAX_BODY_BYTES` unless the route says less. */
  readonly maxBodyBytes?: number;
  /** The body is a form with one file: `body` then only describes it, and the handler gets the file's bytes. */
  readonly upload?: Upload;
  readonly responses: Readonly<Record<number, DocumentedResponse>>;
  /** Refusals of its own, for the document; those of the guards are added by themselves. */
  readonly refusals?: readonly ServiceError[];
  readonly handle: (input: Input<Access, Static<P>, Static<Q>, Static<B>>) => Promise<Answer>;
}

export type Access = Permission | 'authenticated' | 'public';

/** A route whose input types were checked where it was declared. */
export type Route = Omit<RouteDeclaration<Access, TSchema, TSchema, TSchema>, 'handle'> & {
  readonly handle: (input: Input<Access, unknown, unknown, unknown>) => Promise<Answer>;
};

/** Declares a route; `params`, `query` and `body` of the handler get their types from the schemas. */
export function route<const A extends Access, P extends TSchema, Q extends TSchema, B extends TSchema>(
  declaration: RouteDeclaration<A, P, Q, B>,
): Route {
  // The endpoint hands over what the very same schemas let through, so forgetting the types here is sound.
  return declaration as unknown as Route;
}
