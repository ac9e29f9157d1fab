import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { isReserved, status, statusOf } from './status.ts';

/**
 * The retention of closed executions, and of their ids, in a namespace created here. For another retention create the
 * namespace first.
 */
const RETENTION_S = 30 * 24 * 60 * 60;
/** The services of a cluster learn of a new namespace one after the other, within about ten seconds. */
const PROPAGATION_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 250;

/** `refused`: it is missing, and the server does not allow creating it. */
export type NamespaceState = 'there' | 'created' | 'refused';

/**
 * Creates the namespace if it is missing, for example after the loss of Temporal's store, and waits until it can be
 * used.
 */
export async function ensureNamespace(connection: Connection, namespace: string): Promise<NamespaceState> {
  if (await isThere(connection, namespace)) return 'there';
  try {
    const request = { namespace, workflowExecutionRetentionPeriod: { seconds: RETENTION_S } };
    // protobuf's type for 64-bit numbers accepts plain numbers too, but does not declare it.
    await connection.workflowService.registerNamespace(request as object);
  } catch (error) {
    if (isReserved(error)) return 'refused';
    // Another process created it first.
    if (statusOf(error) !== status.alreadyExists) throw error;
  }
  await untilPropagated(connection, namespace);
  return 'created';
}

async function isThere(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch (error) {
    if (statusOf(error) === status.notFound) return false;
    // A client without permission to describe it may still be allowed to use it.
    if (isReserved(error)) return true;
    throw error;
  }
}

async function untilPropagated(connection: Connection, namespace: string): Promise<void> {
  const deadline = Date.now() + PROPAGATION_TIMEOUT_MS;
  for (;;) {
    try {
      // Unlike describeNamespace these read the caches of the server's services.
      await connection.operatorService.listSearchAttributes({ namespace });
      await connection.workflowService.countWorkflowExecutions({ namespace });
      return;
    } catch (error) {
      if (statusOf(error) !== status.notFound || Date.now() > deadline) throw error;
      await sleep(POLL_INTERVAL_MS);
    }
  }
}
