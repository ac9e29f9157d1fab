import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../domain/caller.ts';
import type { ServiceError } from '../domain/errors.ts';
import type { Permission } from '../domain/permissions.ts';
import type { RefusedFeature } from '../domain/plans.ts';
import type { NamedStatement, Sender } from '../db/pipeline.ts';
import type { TenantTransaction, WithTenant } from '../db/with-tenant.ts';
import type { PipelinedWrite } from './pipelined-route.ts';
import type { RateClass } from './rate-limits.ts';
import type { Upload } from './read-upload.ts';
import type { ResponseBody } from './schema.ts';
import type { JsonStream } from './streams.ts';
import type { IfMatch } from './entity-tag.ts';

/** Limit of request bodies, except uploads. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The response of a handler. A Buffer is sent unchanged, with its content type. */
export interface HandlerResult<Body = unknown, Status extends number = number> {
  readonly status: Status;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sets the session cookie, or clears it. */
  readonly session?: { readonly token: string; readonly expires: Date } | 'clear';
  /** The response must not be stored for the Idempotency-Key of an `external` route: a repeated request runs again. */
  readonly isUnstored?: boolean;
}

export interface DocumentedResponse {
  readonly description: string;
  /** JSON, unless a content type is given. */
  readonly schema?: TSchema;
  readonly contentType?: string | readonly string[];
}

/** The statuses of responses that are no refusals. */
type SuccessStatus = 200 | 201 | 202;

/** The documented responses of a route, by status. */
export type Responses = Readonly<Partial<Record<SuccessStatus, DocumentedResponse>>>;

type BodyOf<D> = D extends { readonly schema: infer S extends TSchema }
  ? ResponseBody<S> | JsonStream<ResponseBody<S>>
  : Buffer | Readable;

/** The status must be declared, and the body match its schema; a response without a schema is a file. */
export type ResultOf<R extends Responses> = {
  [Status in keyof R & SuccessStatus]: HandlerResult<BodyOf<R[Status]>, Status>;
}[keyof R & SuccessStatus];

/**
 * Runs the effect of a request in one transaction of the caller's tenant. With an Idempotency-Key the response is
 * stored in that same transaction, and a repeated request gets it without a second effect.
 */
export type Transact = <Result extends HandlerResult>(
  effect: (trx: TenantTransaction) => Promise<Result>,
) => Promise<Result>;

/** Runs the work in a transaction of the caller's tenant and responds with 200 and the returned body. */
export type InTenant = <Body>(
  work: (trx: TenantTransaction) => Promise<Body>,
  options?: Parameters<WithTenant>[2],
) => Promise<HandlerResult<Body, 200>>;

/** The last statements of a pipelined effect, which are sent together with the commit. */
export interface LastStatements {
  readonly statements: readonly NamedStatement[];
}

/** The same in a pipelined transaction, for hot paths. */
export type TransactPipelined = <Result extends HandlerResult>(
  effect: (tx: Sender) => Promise<Result & LastStatements>,
) => Promise<Result>;

/** One call with work outside the database; repeated requests with its Idempotency-Key are the same call. */
export interface IdempotentCall {
  /** A CUID. */
  readonly id: string;
  /** An earlier request started it and its outcome is unknown: the effect may have happened. */
  readonly isRepeated: boolean;
  /** Joins the call with that id: repeated requests with the key get its outcome. */
  readonly join: (trx: TenantTransaction, id: string) => Promise<void>;
}

/** What a handler gets; it never sees Koa's context. */
export interface Input<Access, P, Q, B> {
  readonly caller: Access extends 'public' ? undefined : Caller;
  readonly inTenant: Access extends 'public' ? undefined : InTenant;
  readonly transact: Access extends 'public' ? undefined : Transact;
  readonly transactPipelined: Access extends 'public' ? undefined : TransactPipelined;
  /** For routes with work outside the database. */
  readonly call: IdempotentCall;
  /** Of routes with `etag: 'checked'`: undefined unless the request is conditional. */
  readonly ifMatch: IfMatch | undefined;
  readonly requestId: string;
  /** When the response becomes `deadline_exceeded`, in epoch milliseconds. */
  readonly deadline: number;
  /** Aborted after the response or when the caller disconnects: stops work that only this caller needs. */
  readonly signal: AbortSignal;
  /** The caller's address, for limits and the evidence of signatures. */
  readonly ip: string;
  /** The User-Agent header, cut to 512 characters; also part of the evidence. */
  readonly userAgent: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/**
 * The declaration of a route, from which the guards, the router and the OpenAPI document are derived.
 *
 * `access`: a permission of `domain/permissions.ts`, `authenticated` for any signed-in caller, or `public`.
 */
export interface RouteDeclaration<
  Access,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends Responses,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Koa's form: /api/quotes/:id */
  readonly path: string;
  /** Verb and noun in camelCase, unique: createQuote. Generated clients name their functions after it. */
  readonly operationId: string;
  /** One of the tags of `openapi/tags.ts`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Plan gate of the whole route. Gates of single members are checked by the handler. */
  readonly feature?: RefusedFeature;
  /** The keys that may call it: by default a GET permits every key, and others need the scope `full`. */
  readonly keys?: 'full' | 'none';
  /** Refused until the business has confirmed its e-mail address: it reaches other people, or gives access. */
  readonly needsVerifiedEmail?: boolean;
  /** A stricter rate limit than `default` (`rate-limits.ts`). */
  readonly rate?: RateClass;
  /**
   * Effect of an Idempotency-Key; required for POST. `transaction`: the handler calls `transact` or `transactPipelined`,
   * which stores the response with the effect. `external`: a row is stored before and completed after work outside the
   * database. `none`: no effect.
   */
  readonly idempotency?: 'transaction' | 'external' | 'none';
  /**
   * `returned`: a successful response has the record's ETag, and a GET honours If-None-Match. `checked`: If-Match makes
   * the change conditional too; the handler calls `ifMatch` with the current tag under the row's lock, after its 404.
   */
  readonly etag?: 'returned' | 'checked';
  readonly params?: P;
  readonly query?: Q;
  /** The message for any malformed query, in place of the message about its first invalid parameter. */
  readonly queryRefusal?: string;
  readonly body?: B;
  /** Limit of the JSON body in bytes, also after decompression. Default: `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number;
  /** The body is a form with one file. The handler gets the file's bytes; `body` only documents the form. */
  readonly upload?: Upload;
  readonly responses: R;
  /** Refusals of the handler, for the OpenAPI document. Refusals of the guards are added automatically. */
  readonly refusals?: readonly ServiceError[];
  readonly handle: (input: Input<Access, Static<P>, Static<Q>, Static<B>>) => Promise<ResultOf<R>>;
}

export type Access = Permission | 'authenticated' | 'public';

/** A route without the types of its schemas, which were checked where it was declared. */
export type Route = Omit<RouteDeclaration<Access, TSchema, TSchema, TSchema, Responses>, 'handle'> & {
  readonly handle: (input: Input<Access, unknown, unknown, unknown>) => Promise<HandlerResult>;
  /** Of a pipelined route: its transaction, in which the caller may be confirmed. */
  readonly write?: PipelinedWrite<unknown, unknown, unknown, HandlerResult>;
};

/**
 * Declares a route. The schemas give the types of `params`, `query` and `body`, and of the body that `handle` returns.
 */
export function route<
  const A extends Access,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends Responses,
>(declaration: RouteDeclaration<A, P, Q, B, R>): Route {
  // Sound: the endpoint passes only input that these schemas accepted.
  return declaration as unknown as Route;
}
