import colors from 'picocolors';
import { isLoopback } from '../adapters/loopback.ts';
import { watchForEnd, type Ending } from './ending.ts';
import { claimDataDir, claimPort } from './launcher-record.ts';
import { proveLogin } from './login.ts';
import { dataDir as whereDataIs, shown } from './paths.ts';
import { runMigrations } from './migrations.ts';
import { isPortFree, isPortTakenError } from './ports.ts';
import { messageOf, Problem } from './problem.ts';
import { startProcess } from './processes.ts';
import { seed } from './seed.ts';
import { endRecorded, killAllServers, recordedNames, type ServerProcess } from './server-process.ts';
import { type BackingServices, type Part, startBackingServices } from './stack.ts';
import { removeStackFile, type StackFile, writeStackFile } from './stack-file.ts';
import { type Supervised, supervise, type Supervision } from './supervise.ts';
import { nextSteps, sampleCommand, table } from './table.ts';
import { Terminal } from './terminal.ts';

/**
 * `npm start`: starts everything that the service needs, then the service, then prints the addresses. `npm run dev` is the same with `--watch`: API and worker restart when their code is saved.
 */

const isWatching = process.argv.includes('--watch');
const dataDir = whereDataIs();
const terminal = new Terminal();
const ending = watchForEnd(
  () => {
    terminal.clear();
    terminal.line('\nDeteniendo… (otra vez para forzar)');
  },
  () => {
    killAllServers();
    removeStackFile(dataDir);
    process.exit(130);
  },
);

const LABELS: Readonly<Record<Part, { readonly label: string; readonly variable: string }>> = {
  postgres: { label: 'PostgreSQL', variable: 'DATABASE_URL' },
  temporal: { label: 'Temporal', variable: 'TEMPORAL_ADDRESS' },
  storage: { label: 'Almacén S3', variable: 'S3_ENDPOINT' },
  inbox: { label: 'Bandeja de correo', variable: 'SMTP_URL' },
};

process.exitCode = await run();
// A connection left open must not keep the process of a stopped stack alive.
process.exit();

async function run(): Promise<number> {
  try {
    const ends = await start(ending);
    const crash = await Promise.race([ending.requested, ...ends]);
    if (crash === undefined) return 0;
    terminal.line(`\n${colors.red('✘')} ${crash}\n\nDeteniendo lo demás…`);
    return 1;
  } catch (error) {
    if (ending.signal.aborted) return 0;
    terminal.clear();
    terminal.line(`\n${colors.red('✘')} ${error instanceof Problem ? error.message : explain(error)}`);
    return 1;
  } finally {
    await ending.undo();
    if (ending.signal.aborted) terminal.line('Detenido.');
  }
}

/** Returns, for each process that kept failing, a promise of the description of its exit. */
async function start({ later, signal }: Ending): Promise<readonly Promise<string>[]> {
  terminal.line(`${colors.bold('Cotizador')} · Node ${process.versions.node} · datos en ${shown(dataDir)}/\n`);
  later(claimDataDir(dataDir));
  removeStackFile(dataDir);
  await endLeftovers();
  const apiPort = await apiPortOrRefuse(later);

  const services = await startServices(apiPort, signal);
  later(services.stop);
  const { env, apiUrl: api } = services;

  const supervised = (process: ServerProcess, label: string, restart: Supervision['start']): Supervised => {
    const say = (line: string) => terminal.line(`${colors.yellow('↻')} ${line}`);
    const result = supervise(process, { label, start: restart, say, signal });
    later(result.stop);
    return result;
  };
  const parts = (['postgres', 'temporal', 'storage'] as const).flatMap((part) => {
    const running = services[part];
    return running ? [supervised(running.process, LABELS[part].label, () => services.restart(part))] : [];
  });

  await terminal.step(
    'Migraciones',
    () => runMigrations(dataDir, env),
    (applied) => (applied > 0 ? `Migraciones (${applied} nuevas)` : 'Migraciones'),
  );
  signal.throwIfAborted();

  const own = async (name: 'worker' | 'api', label: string) => {
    const options = { name, label, dataDir, env, signal, terminal };
    const running = await terminal.step(label, async () => {
      // The library that watches files is a development dependency.
      if (isWatching) return (await import('./watch.ts')).startWatched(options);
      return startProcess(options);
    });
    if ('crash' in running) {
      later(() => running.stop());
      return { ended: running.crash };
    }
    return { ended: supervised(running, label, (until) => startProcess({ ...options, signal: until })).givenUp };
  };
  // Waits for all: a process that has started must be known before the failure of another is reported.
  const outcomes = await Promise.allSettled([
    terminal.step('Datos de ejemplo', () => seed(env)),
    own('worker', 'Worker'),
    own('api', 'API'),
  ]);
  const [demo, worker, apiProcess] = outcomes;
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (apiProcess.status === 'rejected' && isPortTakenError(apiProcess.reason)) throw portTaken(apiPort);
  if (demo.status !== 'fulfilled' || worker.status !== 'fulfilled' || apiProcess.status !== 'fulfilled') {
    throw failure?.reason;
  }
  signal.throwIfAborted();

  const { owner, free, apiKey, clientId } = demo.value;
  await terminal.step('Entrada de prueba', async () => {
    await proveLogin(api, owner);
    await proveLogin(api, free);
  });

  const stack = describe(services, { owner, free, apiKey });
  writeStackFile(dataDir, stack, env);
  later(() => removeStackFile(dataDir));
  terminal.line(`\n${table(stack)}\n`);
  terminal.line(`Cree y comparta una cotización; el correo con su PDF aparece en la bandeja:\n`);
  terminal.line(`${sampleCommand(api, apiKey, clientId)}\n`);
  if (isWatching) terminal.line('Los cambios guardados reinician la API o el worker, lo que los cargue.\n');
  terminal.line(`Siga con:\n${nextSteps(shown(dataDir))}\n`);
  // The first request renders the documentation: after the start, and before somebody reads it.
  fetch(`${api}/docs`, { signal }).catch(() => undefined);

  return [...parts.map(({ givenUp }) => givenUp), worker.value.ended, apiProcess.value.ended];
}

/** Ends servers of a killed launcher. */
async function endLeftovers(): Promise<void> {
  const names = recordedNames(dataDir);
  const ended = await Promise.all(names.map(async (name) => ((await endRecorded(dataDir, name)) ? [name] : [])));
  if (ended.flat().length > 0) terminal.note(`detuve lo que dejó una ejecución anterior: ${ended.flat().join(', ')}`);
}

/** The API's port. Another launcher may have claimed it without listening on it yet. */
async function apiPortOrRefuse(later: Ending['later']): Promise<number> {
  const port = Number(process.env['PORT'] || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Problem('PORT no es un puerto (1 a 65535).');
  const host = process.env['HOST'] || '127.0.0.1';
  if (!isLoopback(host)) {
    throw new Problem(
      `HOST=${host} abriría a otros equipos una instalación de prueba, con accesos que todos conocen.\n` +
        '  npm start atiende solo a este equipo; para servir a otros, siga docs/operations.md.',
    );
  }
  const release = claimPort(port);
  if (!release) throw portTaken(port);
  later(release);
  if (await isPortFree(port, host)) return port;
  throw portTaken(port);
}

function portTaken(port: number): Problem {
  return new Problem(
    `El puerto ${port} está ocupado por otro programa, y la API no cambia de puerto por su cuenta.\n` +
      `  Libere el puerto, o elija otro: PORT=${port + 1} npm start`,
  );
}

async function startServices(apiPort: number, signal: AbortSignal): Promise<BackingServices> {
  for (const { label } of Object.values(LABELS)) terminal.begin(label);
  return startBackingServices({
    dataDir,
    profile: 'embedded',
    apiPort,
    signal,
    onProgress: (part, line) => terminal.note(`${LABELS[part].label}: ${line}`),
    onReady: (part, { external, isNew }) => {
      const { label, variable } = LABELS[part];
      terminal.done(label, `${label}${external ? ` (el de ${variable})` : isNew ? ' (base nueva)' : ''}`);
    },
  });
}

function describe({ env, apiUrl, temporal, inbox }: BackingServices, demo: StackFile['demo']): StackFile {
  return {
    api: apiUrl,
    docs: `${apiUrl}/docs`,
    temporalUi: temporal?.uiUrl ?? env['TEMPORAL_UI_URL'] ?? null,
    temporalAddress: env['TEMPORAL_ADDRESS'] ?? '',
    inbox: inbox?.url ?? null,
    inboxApi: inbox?.apiUrl ?? null,
    s3: env['S3_ENDPOINT'] ?? '',
    databaseUrl: env['DATABASE_URL'] ?? '',
    adminDatabaseUrl: env['DATABASE_ADMIN_URL'] ?? '',
    demo,
  };
}

function explain(error: unknown): string {
  const detail = process.env['LOG_LEVEL'] === 'debug' && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  return `${messageOf(error)}${detail}`;
}
