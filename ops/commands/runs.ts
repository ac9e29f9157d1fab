import { Client, Connection } from '@temporalio/client';
import { readTemporalConfig } from '../../adapters/config.ts';
import { clientOptions, namespaceOptions } from '../../adapters/temporal/connection.ts';
import { decodeHistory } from '../../adapters/temporal/decode-history.ts';
import { isAway } from '../../adapters/temporal/status.ts';
import { downloadHistory, type History } from '../history.ts';
import { CommandError } from './command.ts';

const DEADLINE_MS = 20_000;

/** The history of a run in the Temporal server that the environment names, or that of the running embedded stack. */
export async function historyOf(workflowId: string, runId?: string): Promise<History> {
  const config = readTemporalConfig();
  const connection = Connection.lazy(clientOptions(config));
  const temporal = new Client({ connection, ...namespaceOptions(config) });
  try {
    const history = await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
      downloadHistory(temporal, workflowId, runId),
    );
    if (history) {
      const [codec] = namespaceOptions(config).dataConverter?.payloadCodecs ?? [];
      if (codec) await decodeHistory(history, codec);
      return history;
    }
    const which = runId === undefined ? workflowId : `${workflowId} con el run id ${runId}`;
    throw new CommandError(`Temporal (${config.TEMPORAL_ADDRESS}) no tiene una ejecución ${which}.`, 2);
  } catch (error) {
    if (isAway(error)) {
      throw new CommandError(`Temporal (${config.TEMPORAL_ADDRESS}) no contesta.`);
    }
    throw error;
  } finally {
    await connection.close();
  }
}
