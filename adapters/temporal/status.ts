import { ServiceError } from '@temporalio/client';

/** gRPC's status codes, as far as anybody here tells them apart. */
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

/** The code of a failed call, whether the SDK wrapped the error or not; undefined when it is none of gRPC's. */
export function statusOf(error: unknown): number | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'number' ? cause.code : undefined;
}

/** Whether the server is not there, or has no time now: what was asked may well work later. */
export function isAway(error: unknown): boolean {
  const code = statusOf(error);
  return code === status.unavailable || code === status.deadlineExceeded || code === status.resourceExhausted;
}

/** Whether the server leaves this to its administrators, as Temporal Cloud does with namespaces and attributes. */
export function isReserved(error: unknown): boolean {
  const code = statusOf(error);
  return code === status.permissionDenied || code === status.unimplemented;
}

/** Whether the server will not do this however often it is asked. */
export const isRefused = (error: unknown): boolean => statusOf(error) === status.invalidArgument;
