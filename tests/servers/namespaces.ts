import { Connection } from '@temporalio/client';
import { ensureTemporal } from '../../worker/ensure-temporal.ts';
import { createLog } from '../../adapters/log.ts';
import { isLeftover, newProcessName } from './process-name.ts';

/** A separate namespace of Temporal, with the search attributes and schedules of the migration step. */
export async function createNamespace(address: string): Promise<{ name: string; remove: () => Promise<void> }> {
  const name = newProcessName();
  const log = createLog({ level: 'silent', name: 'tests' });
  await connected(address, (connection) => ensureTemporal({ connection, namespace: name, log }));
  return {
    name,
    /** Also deletes the namespaces whose names tests derived from it. */
    remove: () => removeNamespaces(address, (other) => other.startsWith(name)),
  };
}

/** Deletes the namespaces of killed test processes. */
export const removeLeftoverNamespaces = (address: string): Promise<void> => removeNamespaces(address, isLeftover);

const removeNamespaces = (address: string, isOurs: (name: string) => boolean): Promise<void> =>
  connected(address, async (connection) => {
    const { namespaces } = await connection.workflowService.listNamespaces({ pageSize: 1_000 });
    const names = (namespaces ?? []).flatMap(({ namespaceInfo }) => namespaceInfo?.name ?? []);
    for (const namespace of names.filter(isOurs)) await connection.operatorService.deleteNamespace({ namespace });
  });

async function connected<T>(address: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
