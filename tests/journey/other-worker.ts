import { type OwnProcess, startOwnProcess } from '../own-process.ts';
import type { Installation } from './installation.ts';

/** Failed deliveries are retried once, a second later; failing endpoints are probed each second. */
const IMPATIENT = { WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_PROBE_SECONDS: '1' };

/** Replaces the installation's worker by one with other settings; `giveBack` restores it. */
export async function otherWorker(
  service: Installation,
  settings: Record<string, string> = IMPATIENT,
): Promise<OwnProcess & { giveBack(): Promise<void> }> {
  const usual = service.processes.worker;
  await usual.stop();
  const worker = await startOwnProcess('worker/main.ts', { ...service.env, ...settings });
  return {
    ...worker,
    async giveBack() {
      await worker.stop();
      await service.startWorker();
    },
  };
}
