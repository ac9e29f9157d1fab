import { isMainThread } from 'node:worker_threads';

// Loaded before a process's own modules. On SIGUSR2 its event loop stands still for BLOCK_MS, as it would in a
// computation that never yields.
const blockMs = Number(process.env['BLOCK_MS']);

if (isMainThread) {
  process.on('SIGUSR2', () => {
    for (const end = performance.now() + blockMs; performance.now() < end;);
  });
}
