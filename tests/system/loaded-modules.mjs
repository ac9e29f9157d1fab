import { createRequire } from 'node:module';

// Loaded before a process's own modules: as the process ends, it says which of the packages in question it had loaded.
process.on('exit', () => {
  // prom-client itself asks for the interfaces of OpenTelemetry, which do nothing.
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) =>
    /opentelemetry(?!\/api\/)|prom-client\/index/.test(file),
  );
  process.stdout.write(`LOADED ${JSON.stringify(loaded)}\n`);
});
