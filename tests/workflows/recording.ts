import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { createLog } from '../../adapters/log.ts';
import { ensureTemporal } from '../../worker/ensure-temporal.ts';
import { historyText, kebab, personalData } from '../../ops/history-file.ts';
import { downloadHistory } from '../../ops/history.ts';
import { ensureTool } from '../../dev/tools.ts';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';

/** What `record-histories.ts` records with: an installation whose waits are seconds, and files that are kept. */

const FOLDER = new URL('../histories/', import.meta.url);

/**
 * An installation with a worker that retries deliveries without a pause, and with a Temporal that suggests continue-as-new
 * after so many events; by default it does so after 4096.
 */
export async function recordingInstallation(
  suggestAfter: number,
): Promise<{ service: Installation; stop: () => Promise<void> }> {
  const service = await installation();
  await service.processes.worker.stop();
  await service.parts.temporal.stop();
  const [ip = '', port = ''] = service.parts.temporal.address.split(':');
  const env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: await ensureTool('temporal') },
      ip,
      port: Number(port),
      extraArgs: [
        ['--log-level', 'error'],
        ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${suggestAfter}`],
      ].flat(),
    },
  });
  const log = createLog({ level: 'silent', name: 'recording' });
  await ensureTemporal({ connection: env.connection, namespace: 'default', log });
  service.env['WEBHOOK_RETRY_SECONDS'] = '1,1';
  await service.startWorker();
  return { service, stop: () => env.teardown() };
}

/** Keeps the history of a run that has ended, under the name of its workflow and of the path it took. */
export async function record(
  { temporal }: Installation,
  { workflowId, runId, path }: { workflowId: string; runId?: string; path: string },
): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId, runId);
  await eventually(async () => assert.notEqual((await handle.describe()).status.name, 'RUNNING'), 120_000);
  const { type } = await handle.describe();
  const history = await downloadHistory(temporal, workflowId, runId);
  assert.ok(history, workflowId);
  const text = historyText(history);
  assert.deepEqual(personalData(text), []);
  await writeFile(fileOf(type, path), text);
}

/** Whether it is there already: it stands for runs that may be under way, and is not recorded anew. */
export async function isRecorded(type: string, path: string): Promise<boolean> {
  try {
    await access(fileOf(type, path));
    return true;
  } catch {
    return false;
  }
}

const fileOf = (type: string, path: string): URL => new URL(`${kebab(type)}.${path}.json`, FOLDER);
