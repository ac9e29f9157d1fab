import type { Static, TSchema } from 'typebox';
import type { NamedStatement, RowsOfEach, Sender } from '../db/pipeline.ts';
import type { Caller } from '../domain/caller.ts';
import {
  type Access,
  type Input,
  type LastStatements,
  type Responses,
  type ResultOf,
  type Route,
  route,
  type RouteDeclaration,
} from './route.ts';

/** What a request sent, and its tenant. */
export interface FirstInput<P, Q, B> extends Pick<Input<'authenticated', P, Q, B>, 'params' | 'query' | 'body'> {
  readonly tenantId: string;
}

/** The same in the transaction, with the rows of the first statements. */
export interface EffectInput<P, Q, B> extends Omit<FirstInput<P, Q, B>, 'tenantId'> {
  readonly tx: Sender;
  readonly caller: Caller;
  readonly rows: RowsOfEach;
}

/**
 * The one transaction of a route on a hot path, in two packets. The first one confirms the caller, too, which would
 * otherwise take a transaction of its own.
 */
export interface PipelinedWrite<P, Q, B, Result> {
  /** What the effect needs to know. These statements run before the caller is confirmed: a refusal rolls them back. */
  readonly first: (input: FirstInput<P, Q, B>) => readonly NamedStatement[];
  /** Checks the request; the statements that it returns are sent with the commit. */
  readonly effect: (input: EffectInput<P, Q, B>) => Promise<Result & LastStatements>;
  /** Runs the transaction, and may explain its errors. */
  readonly explain: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Declares a route that is no more than a pipelined write. */
export function pipelinedRoute<
  const A extends Exclude<Access, 'public'>,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends Responses,
>({
  write,
  ...declaration
}: Omit<RouteDeclaration<A, P, Q, B, R>, 'handle'> & {
  readonly idempotency: 'transaction';
  readonly write: PipelinedWrite<Static<P>, Static<Q>, Static<B>, ResultOf<R>>;
}): Route {
  const declared = route<Exclude<Access, 'public'>, P, Q, B, R>({
    ...declaration,
    handle: ({ caller, transactPipelined, params, query, body }) =>
      write.explain(() =>
        transactPipelined(async (tx) => {
          const rows = await tx.send(write.first({ tenantId: tx.tenantId, params, query, body }));
          return write.effect({ tx, caller, rows, params, query, body });
        }),
      ),
  });
  // Sound as in `route`: it gets only input that these schemas accepted.
  return { ...declared, write: write as unknown as NonNullable<Route['write']> };
}
