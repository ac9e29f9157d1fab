import { Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../adapters/temporal/search-attributes.ts';
import { attributes } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { namespaceName, needs, testStack } from '../stack.ts';
import { ownService, type Service } from './service.ts';

needs('temporal');

/**
 * An API whose shares are handed over and never run: no worker polls its namespace of Temporal, which knows these
 * search attributes.
 */
export async function serviceWithoutWorker(known = Object.values(attributes)): Promise<Service> {
  const namespace = await namespaceName('idle');
  const { env } = await testStack();
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
  try {
    const workflowExecutionRetentionPeriod = { seconds: 24 * 60 * 60 };
    // The long type of protobuf's 64-bit numbers takes plain ones too, but does not say so.
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod } as object);
    // The server's own parts hear of a new namespace one after the other.
    await eventually(() => registerSearchAttributes(connection, namespace, known));
  } finally {
    await connection.close();
  }
  // Every call ends in a logged 503 here.
  return ownService({ TEMPORAL_NAMESPACE: namespace, LOG_LEVEL: 'silent' });
}
