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
  versionMismatch,
} from '../../domain/errors.ts';
import { planRefusal } from '../../domain/plans.ts';
import { STATUS } from '../middleware/errors.ts';
import type { Route } from '../route.ts';

const EXAMPLE_REQUEST_ID = 'c2v8k0r4x6b1n9m3q7w5e8t2';

/** All refusals of a route: those of the guards, derived from its declaration, and its own. */
function refusalsOf(route: Route): readonly ServiceError[] {
  const guarded = route.access !== 'public';
  return [
    ...(route.query || route.params || route.body || route.etag
      ? [invalidInput([sampleDetail(route)], route.queryRefusal)]
      : []),
    // Also of a URL, which a query makes long.
    ...(route.query && !route.body ? [tooLarge()] : []),
    ...(route.body ? [invalidJson(), tooLarge(), unsupportedMediaType()] : []),
    ...(guarded ? [unauthenticated()] : []),
    ...(guarded && route.access !== 'authenticated' ? [forbidden()] : []),
    ...(route.feature ? [planRequired(planRefusal(route.feature))] : []),
    ...((route.idempotency ?? 'none') === 'none' ? [] : [requestInProgress(), keyReused()]),
    ...(route.refusals ?? []),
    ...(route.etag === 'checked' ? [versionMismatch()] : []),
    tooManyRequests(30),
    unavailable(),
  ];
}

/** Example of a validation error: the first required member is missing. */
function sampleDetail(route: Route): { path: string; message: string } {
  const { required = [] } = (route.body ?? {}) as { required?: readonly string[] };
  const [member] = required;
  if (member !== undefined) return { path: member, message: 'es obligatorio' };
  if (route.query) return { path: 'page', message: 'no es válido' };
  return { path: route.params ? 'id' : 'If-None-Match', message: 'no es válido' };
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
            examples: Object.fromEntries(
              refusals.map((refusal, i) => [`${refusal.kind}_${i + 1}`, { value: bodyOf(refusal) }]),
            ),
          },
        },
      },
    ]),
  );
}

const bodyOf = ({ message, kind, details, run }: ServiceError) => ({
  error: message,
  code: kind,
  requestId: EXAMPLE_REQUEST_ID,
  ...(details && { details }),
  ...(run && { run }),
});
