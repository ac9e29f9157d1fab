import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { TSchema } from 'typebox';
import type { Caller } from '../../domain/caller.ts';
import type { Deps } from '../deps.ts';
import type { HandlerResult, Route } from '../route.ts';
import { admit, isCountedRefusal, type RequestContext, runnable, type RunnableRoute } from '../run-route.ts';
import type { OperationId, OperationInput, ResultOf } from './operations.ts';

/** Runs operations of the API in process, with the admission and the checks of their routes. */
export interface Operations {
  run<Id extends OperationId>(id: Id, input: OperationInput<Id>, context: CallContext): Promise<HandlerResult>;
  /** The declared body, from which forms are read. */
  bodySchema(id: OperationId): TSchema;
  routeOf(id: OperationId): Route;
}

export interface CallContext extends Pick<RequestContext, 'requestId' | 'deadline' | 'ip' | 'userAgent' | 'signal'> {
  readonly caller: Caller | undefined;
}

export function createOperations(deps: Deps, routes: readonly Route[]): Operations {
  const byId = new Map(routes.map((route) => [route.operationId, route]));
  const compiled = new Map<string, RunnableRoute>();
  const routeOf = (id: string): Route => {
    const route = byId.get(id);
    if (!route) throw new Error(`no operation ${id}`);
    return route;
  };
  const runnableOf = (id: string): RunnableRoute => {
    const known = compiled.get(id) ?? runnable(deps, routeOf(id));
    compiled.set(id, known);
    return known;
  };

  return {
    routeOf,
    bodySchema(id) {
      const { body } = routeOf(id);
      if (!body) throw new Error(`${id} takes no body`);
      return body;
    },
    async run(id, { params, query, body, key, tag }, { caller, ...source }) {
      const { route, check, run } = runnableOf(id);
      try {
        // A public operation counts per address, also for a signed-in visitor.
        const as = route.access === 'public' ? undefined : caller;
        await admit(deps, route, { caller: as, ip: source.ip, isPartOfPage: true });
        const given = { params: { ...params }, query: defined(query ?? {}), body: body ?? {} };
        return await run(as, check(given), { ...source, idempotencyKey: key, ifMatch: tag });
      } catch (thrown) {
        if (isCountedRefusal(thrown) && route.access !== 'public') await deps.rateLimits.countRefusal(source.ip);
        throw thrown;
      }
    },
  };
}

const defined = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

/** The operations for the caller of one page. */
export interface Calls {
  /** The body of a successful response; refusals are thrown. */
  readonly call: <Id extends OperationId>(id: Id, ...input: InputArguments<Id>) => Promise<ResultOf<Id>>;
  /** The same with the record's ETag, for forms that change it. */
  readonly callWithTag: <Id extends OperationId>(
    id: Id,
    ...input: InputArguments<Id>
  ) => Promise<{ readonly body: ResultOf<Id>; readonly tag: string | undefined }>;
  /** The whole result: files, and responses that open or end a session. */
  readonly callForResult: <Id extends OperationId>(id: Id, ...input: InputArguments<Id>) => Promise<HandlerResult>;
}

type InputArguments<Id extends OperationId> =
  object extends OperationInput<Id> ? [input?: OperationInput<Id>] : [input: OperationInput<Id>];

export function callsOf(operations: Operations, context: CallContext): Calls {
  const callForResult: Calls['callForResult'] = (id, ...[input]) =>
    operations.run(id, input ?? ({} as OperationInput<typeof id>), context);
  const callWithTag: Calls['callWithTag'] = async (id, ...[input]) => {
    const { body, headers } = await operations.run(id, input ?? ({} as OperationInput<typeof id>), context);
    // The schema of the response is the type's source; a streamed list is read whole.
    return {
      body: (body instanceof Readable ? await json(body) : body) as ResultOf<typeof id>,
      tag: headers?.['ETag'],
    };
  };
  return {
    callForResult,
    callWithTag,
    call: async (id, ...input) => (await callWithTag(id, ...input)).body,
  };
}
