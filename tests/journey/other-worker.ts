import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import type { Installation } from './installation.ts';

/** Deliveries that failed are made once more, a second later; endpoints that fail are probed each second. */
const IMPATIENT = { WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_PROBE_SECONDS: '1' };

/** Puts another worker in the place of the installation's, with other settings; `giveBack` puts that one back. */
export async function otherWorker(
  service: Installation,
  settings: Record<string, string> = IMPATIENT,
): Promise<OwnProcess & { giveBack(): Promise<void> }> {
  const usual = service.processes.worker;
  await usual.stop();
  const worker = await startOwnProcess('activities/worker.ts', { ...service.env, ...settings });
  return {
    ...worker,
    async giveBack() {
      await worker.stop();
      await service.startWorker();
    },
  };
}
