import { isMainThread } from 'node:worker_threads';

// Loaded before a process's own modules. On SIGUSR2 it takes more and more memory and gives none back, until Node's limit
// ends it.
const kept = [];

if (isMainThread) {
  process.on('SIGUSR2', () => {
    setInterval(() => {
      for (let i = 0; i < 20; i += 1) kept.push(Array.from({ length: 10_000 }, (_, at) => `${kept.length} ${at}`));
    }, 10);
  });
}
