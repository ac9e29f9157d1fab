import type { TSchema } from 'typebox';
import {
  type ServiceError,
  deadlineExceeded,
  emailUnverified,
  fileFieldWrong,
  forbidden,
  foreignOrigin,
  invalidInput,
  keyReused,
  requestInProgress,
  scopeRequired,
  unavailable,
  versionMismatch,
} from '../../domain/errors.ts';
import { featureNotInPlan } from '../../domain/plans.ts';
import * as request from '../../domain/request-refusals.ts';
import { STATUS } from '../middleware/errors.ts';
import type { Route } from '../route.ts';
import { VERSIONED } from '../versioned.ts';
import { type RecordedError, recordedExamples } from './examples.ts';
import { requiredMembers } from './printable.ts';

const IS_MISSING = 'es obligatorio';

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
    ...(guarded ? credentialRefusals(route) : []),
    ...(guarded && route.access !== 'authenticated' ? [forbidden()] : []),
    ...(guarded && isLimitedByScope(route) ? [scopeRequired()] : []),
    ...(route.method === 'GET' ? [] : [foreignOrigin()]),
    ...(route.feature ? [featureNotInPlan(route.feature)] : []),
    ...(route.needsVerifiedEmail ? [emailUnverified()] : []),
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

/** Under /api/v1 a key is the only credential; elsewhere a call without one is a call without a session. */
const credentialRefusals = ({ path }: Route): readonly ServiceError[] =>
  path.startsWith(VERSIONED)
    ? [request.apiKeyRequired(), request.apiKeyInvalid()]
    : [request.credentialsMissing(), request.sessionInvalid(), request.apiKeyInvalid()];

/** Whether some keys may not call it. */
const isLimitedByScope = ({ method, keys }: Route): boolean => method !== 'GET' || keys !== undefined;

/** Example of a validation error: the first required member is missing, or the first other one is wrong. */
function sampleDetail(route: Route): { path: string; message: string } {
  const [required] = membersOf(route.body).required;
  if (required !== undefined) return { path: required, message: IS_MISSING };
  const [member] = [route.body, route.query, route.params].flatMap((schema) => membersOf(schema).names);
  return { path: member ?? 'If-None-Match', message: 'no es válido' };
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
          // The same for programs: each reason with a sentence.
          'x-reasons': Object.fromEntries(refusals.map(({ reason, message }) => [reason, message])),
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
function examplesOf(route: Route, status: number, refusals: readonly ServiceError[]): object {
  const { operations, errors } = recordedExamples();
  const reasons = new Set<string>(refusals.map(({ reason }) => reason));
  const own = (operations.get(route.operationId)?.errors[status] ?? []).filter(({ reason }) => reasons.has(reason));
  const shared = [...reasons].flatMap((reason) =>
    own.some((body) => body.reason === reason) ? [] : (errors.get(reason)?.findLast((body) => fits(body, route)) ?? []),
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

/** Whether an error of another operation can be one of this route: its details name members that this one has too. */
function fits({ reason, details = [] }: RecordedError, { query, body, upload }: Route): boolean {
  const [parameters, content] = [membersOf(query), membersOf(body)];
  return details.every(({ path, message }) => {
    const [member = ''] = path.split('.');
    const isMember = parameters.names.includes(member) || content.names.includes(member) || upload?.field === member;
    if (reason === 'unknown_member') return !isMember;
    const isRequired = parameters.required.includes(path) || content.required.includes(path);
    return isMember && (message !== IS_MISSING || isRequired);
  });
}

/** The members of an object; none of another schema. */
function membersOf(schema: TSchema | undefined): {
  readonly names: readonly string[];
  readonly required: readonly string[];
} {
  if (!schema) return { names: [], required: [] };
  const { properties = {} } = schema as { readonly properties?: object };
  return { names: Object.keys(properties), required: requiredMembers(schema).required ?? [] };
}
