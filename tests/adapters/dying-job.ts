import { setTimeout as sleep } from 'node:timers/promises';
import { answerJob } from '../../adapters/child-process/answer-job.ts';

interface Burning {
  /** Uses that much CPU time without a pause. */
  readonly cpuMs?: number;
  readonly sleepMs?: number;
}

// A child that uses the time that its job names.
answerJob(300, async ({ cpuMs = 0, sleepMs = 0 }: Burning) => {
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  while (used() < cpuMs);
  await sleep(sleepMs);
  return 'done';
});
