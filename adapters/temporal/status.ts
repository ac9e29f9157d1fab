import { ServiceError } from '@temporalio/client';

/** The gRPC status codes that are handled differently. */
export const status = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  unavailable: 14,
} as const;

/** The status code of a failed call, whether the SDK wrapped the error or not; undefined for other errors. */
export function statusOf(error: unknown): number | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'number' ? cause.code : undefined;
}

/** Whether the server is unreachable or overloaded: the call may succeed later. */
export function isAway(error: unknown): boolean {
  const code = statusOf(error);
  return code === status.unavailable || code === status.deadlineExceeded || code === status.resourceExhausted;
}

/** Whether the server reserves this to administrators, as Temporal Cloud does with namespaces and attributes. */
export function isReserved(error: unknown): boolean {
  const code = statusOf(error);
  return code === status.permissionDenied || code === status.unimplemented;
}

/** Whether the server will refuse this call however often it is repeated. */
export const isRefused = (error: unknown): boolean => statusOf(error) === status.invalidArgument;
