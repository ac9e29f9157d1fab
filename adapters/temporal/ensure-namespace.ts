import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { isReserved, status, statusOf } from './status.ts';

/** So long closed runs are kept, and their ids with them, in a namespace made here. Who wants another makes it first. */
const RETENTION_S = 30 * 24 * 60 * 60;
/** The parts of a cluster hear of a new namespace one after the other, within about ten seconds. */
const HEARD_OF_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 250;

/** `refused`: it is missing, and the server does not let us make it. */
export type NamespaceState = 'there' | 'created' | 'refused';

/** Makes the namespace where it is missing, as after the loss of Temporal's store, and waits until it can be used. */
export async function ensureNamespace(connection: Connection, namespace: string): Promise<NamespaceState> {
  if (await isThere(connection, namespace)) return 'there';
  try {
    const request = { namespace, workflowExecutionRetentionPeriod: { seconds: RETENTION_S } };
    // The long type of protobuf's 64-bit numbers takes plain ones too, but does not say so.
    await connection.workflowService.registerNamespace(request as object);
  } catch (error) {
    if (isReserved(error)) return 'refused';
    // Another process was quicker.
    if (statusOf(error) !== status.alreadyExists) throw error;
  }
  await untilHeardOf(connection, namespace);
  return 'created';
}

async function isThere(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch (error) {
    if (statusOf(error) === status.notFound) return false;
    // Whoever may not look may still work in it.
    if (isReserved(error)) return true;
    throw error;
  }
}

async function untilHeardOf(connection: Connection, namespace: string): Promise<void> {
  const deadline = Date.now() + HEARD_OF_WITHIN_MS;
  for (;;) {
    try {
      // Unlike describeNamespace these go by what the parts of the server remember.
      await connection.operatorService.listSearchAttributes({ namespace });
      await connection.workflowService.countWorkflowExecutions({ namespace });
      return;
    } catch (error) {
      if (statusOf(error) !== status.notFound || Date.now() > deadline) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
  }
}
