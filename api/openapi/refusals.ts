import {
  type ServiceError,
  deadlineExceeded,
  fileFieldWrong,
  forbidden,
  foreignOrigin,
  invalidInput,
  keyReused,
  requestInProgress,
  unavailable,
  versionMismatch,
} from '../../domain/errors.ts';
import { featureNotInPlan } from '../../domain/plans.ts';
import * as request from '../../domain/request-refusals.ts';
import { STATUS } from '../middleware/errors.ts';
import type { Route } from '../route.ts';
import { recordedExamples } from './examples.ts';

/** All refusals of a route: those of the guards, derived from its declaration, and its own. */
export function refusalsOf(route: Route): readonly ServiceError[] {
  const guarded = route.access !== 'public';
  return [
    ...(route.query || route.params || route.body || route.etag
      ? [invalidInput([sampleDetail(route)], route.queryRefusal)]
      : []),
    request.unknownMember(['nombre']),
    // A query makes a URL long.
    ...(route.query && !route.body ? [request.urlTooLong(), request.headersTooLarge()] : []),
    ...(route.body ? bodyRefusals(route) : []),
    ...(guarded ? credentialRefusals() : []),
    ...(guarded && route.access !== 'authenticated' ? [forbidden()] : []),
    ...(route.method === 'GET' ? [] : [foreignOrigin()]),
    ...(route.feature ? [featureNotInPlan(route.feature)] : []),
    ...((route.idempotency ?? 'none') === 'none'
      ? []
      : [request.idempotencyKeyInvalid(), requestInProgress(), keyReused()]),
    ...(route.refusals ?? []),
    ...(route.etag === 'checked' ? [versionMismatch()] : []),
    request.tooManyRequests(30),
    unavailable(),
    deadlineExceeded(),
  ];
}

const bodyRefusals = ({ upload }: Route): readonly ServiceError[] =>
  upload
    ? [
        fileFieldWrong('archivo', upload.field),
        request.bodyTooLarge(),
        request.contentLengthMissing(),
        request.contentTypeNotSupported(),
      ]
    : [
        request.invalidJson(),
        request.jsonTooDeep(32),
        request.bodyTooLarge(),
        request.urlTooLong(),
        request.headersTooLarge(),
        request.contentTypeNotSupported(),
        request.charsetNotSupported(),
        request.contentEncodingNotSupported(),
      ];

const credentialRefusals = (): readonly ServiceError[] => [
  request.credentialsMissing(),
  request.sessionInvalid(),
  request.apiKeyInvalid(),
  request.apiKeyRequired(),
];

/** Example of a validation error: the first required member is missing. */
function sampleDetail(route: Route): { path: string; message: string } {
  const { required = [] } = (route.body ?? {}) as { required?: readonly string[] };
  const [member] = required;
  if (member !== undefined) return { path: member, message: 'es obligatorio' };
  if (route.query) return { path: 'page', message: 'no es válido' };
  return { path: route.params ? 'id' : 'If-None-Match', message: 'no es válido' };
}

/** The error responses of an operation by status: each message with its reasons, and one example per message. */
export function errorResponses(route: Route): Readonly<Record<string, object>> {
  const byStatus = grouped(refusalsOf(route), ({ kind }) => STATUS[kind]);
  return Object.fromEntries(
    byStatus.map(([status, refusals]) => {
      const byMessage = grouped(refusals, ({ message }) => message);
      return [
        String(status),
        {
          description: byMessage.map(([message, same]) => `${message} (${reasonsOf(same)})`).join(' · '),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              ...examplesOf(route, status, refusals),
            },
          },
        },
      ];
    }),
  );
}

function grouped<Key>(
  refusals: readonly ServiceError[],
  keyOf: (refusal: ServiceError) => Key,
): readonly [Key, readonly ServiceError[]][] {
  const groups = new Map<Key, ServiceError[]>();
  for (const refusal of refusals) groups.set(keyOf(refusal), [...(groups.get(keyOf(refusal)) ?? []), refusal]);
  return [...groups];
}

const reasonsOf = (refusals: readonly ServiceError[]): string =>
  [...new Set(refusals.map(({ reason }) => `\`${reason}\``))].join(', ');

/** The recorded errors of the operation, then those of others for refusals that it shares with them. */
function examplesOf({ operationId }: Route, status: number, refusals: readonly ServiceError[]): object {
  const { operations, errors } = recordedExamples();
  const own = operations.get(operationId)?.errors[status] ?? [];
  const shared = refusals.flatMap(({ reason }) =>
    own.some((body) => body.reason === reason) ? [] : (errors.get(reason) ?? []),
  );
  const bodies = [...own, ...shared];
  if (bodies.length === 0) return {};
  // Several of one reason differ by their details.
  const named = bodies.map((body, i) => [
    bodies.findIndex(({ reason }) => reason === body.reason) === i ? body.reason : `${body.reason}_${i + 1}`,
    { value: body },
  ]);
  return { examples: Object.fromEntries(named) };
}
