import { Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../adapters/temporal/search-attributes.ts';
import { attributes } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { namespaceName, needs, testStack } from '../stack.ts';
import { ownService, type Service } from './service.ts';

needs('temporal');

/**
 * An API whose shares reach Temporal and never run, because no worker polls its namespace, which has these search
 * attributes.
 */
export async function serviceWithoutWorker(known = Object.values(attributes)): Promise<Service> {
  const namespace = await namespaceName('idle');
  const { env } = await testStack();
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
  try {
    const workflowExecutionRetentionPeriod = { seconds: 24 * 60 * 60 };
    // The type Long of protobuf also accepts plain numbers, but its types do not declare it.
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod } as object);
    // The services of the server get to know a new namespace at different times.
    await eventually(() => registerSearchAttributes(connection, namespace, known));
  } finally {
    await connection.close();
  }
  // Every call ends with a logged 503 here.
  return ownService({ TEMPORAL_NAMESPACE: namespace, LOG_LEVEL: 'silent' });
}
