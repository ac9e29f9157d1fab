// Loaded before a process's own modules, in each of its threads. Every COLLECT_MS all garbage is collected: what is left
// is what the process keeps, which V8 would otherwise tell a few times an hour where memory is plenty.
const COLLECT_MS = 20_000;

setInterval(() => globalThis.gc(), COLLECT_MS).unref();
