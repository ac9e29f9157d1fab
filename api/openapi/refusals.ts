import {
  forbidden,
  invalidInput,
  invalidJson,
  keyReused,
  planRequired,
  requestInProgress,
  type ServiceError,
  tooLarge,
  tooManyRequests,
  unauthenticated,
  unavailable,
  unsupportedMediaType,
} from '../../domain/errors.ts';
import { planRefusal } from '../../domain/plans.ts';
import { STATUS } from '../middleware/errors.ts';
import type { Route } from '../route.ts';
import { keyOf, recordedExamples } from './examples.ts';

/** All refusals of a route: those of the guards, derived from its declaration, and its own. */
function refusalsOf(route: Route): readonly ServiceError[] {
  const guarded = route.access !== 'public';
  return [
    ...(route.query || route.params || route.body ? [invalidInput([sampleDetail(route)], route.queryRefusal)] : []),
    // Also of a URL, which a query makes long.
    ...(route.query && !route.body ? [tooLarge()] : []),
    ...(route.body ? [invalidJson(), tooLarge(), unsupportedMediaType()] : []),
    ...(guarded ? [unauthenticated()] : []),
    ...(guarded && route.access !== 'authenticated' ? [forbidden()] : []),
    ...(route.feature ? [planRequired(planRefusal(route.feature))] : []),
    ...((route.idempotency ?? 'none') === 'none' ? [] : [requestInProgress(), keyReused()]),
    ...(route.refusals ?? []),
    tooManyRequests(30),
    unavailable(),
  ];
}

/** Example of a validation error: the first required member is missing. */
function sampleDetail(route: Route): { path: string; message: string } {
  const { required = [] } = (route.body ?? {}) as { required?: readonly string[] };
  const [member] = required;
  if (member !== undefined) return { path: member, message: 'es obligatorio' };
  return { path: route.query ? 'page' : 'id', message: 'no es válido' };
}

/** The error responses of an operation by status, with one example per message. */
export function errorResponses(route: Route): Readonly<Record<string, object>> {
  const byStatus = new Map<number, ServiceError[]>();
  for (const refusal of refusalsOf(route)) {
    const status = STATUS[refusal.kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => [
      String(status),
      {
        description: [...new Set(refusals.map(({ message }) => message))].join(' · '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            ...examplesOf(route, status, refusals),
          },
        },
      },
    ]),
  );
}

/** The recorded errors of the operation, then those of others for refusals that it shares with them. */
function examplesOf({ operationId }: Route, status: number, refusals: readonly ServiceError[]): object {
  const { operations, errors } = recordedExamples();
  const own = operations.get(operationId)?.errors[status] ?? [];
  const shared = refusals.flatMap(({ kind, message, details }) => {
    const key = keyOf(kind, { error: message, ...(details && { details }) });
    return own.some((body) => body.code === kind && (body.error === message || details)) ? [] : (errors.get(key) ?? []);
  });
  const bodies = [...own, ...shared];
  if (bodies.length === 0) return {};
  return { examples: Object.fromEntries(bodies.map((body, i) => [`${body.code}_${i + 1}`, { value: body }])) };
}
