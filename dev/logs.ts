import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runningLauncher } from './launcher-record.ts';
import { type LogFile, logFile } from './log-file.ts';
import { formatLine, LOG_LEVELS, type LogFilter, type LogLevel, type LogLine, parseLine, passes } from './log-lines.ts';
import { dataDir as whereDataIs, shown } from './paths.ts';
import { messageOf } from './problem.ts';

/** `npm run logs [-- parte … --quote … --run … --level …]`: prints and follows the logs of the stack's processes. */

/** Shown by default; the servers' logs are long and rarely useful. */
const OWN = ['api', 'worker', 'migrate'] as const;
const PARTS = [...OWN, 'postgres', 'temporal', 'storage'] as const;
const USAGE = `uso: npm run logs -- [${PARTS.join('|')} …] [--quote COT-12|<id>] [--run <workflowId|runId>]
                     [--level ${LOG_LEVELS.join('|')}] [--lines 20] [--no-follow]`;
const READ_INTERVAL_MS = 250;
/** Every how many reads the stack is checked to be running: on some systems the check starts a program. */
const CHECK_EVERY_READS = 4;
/** How many of the last lines are filtered at the start. */
const MAX_TAIL_LINES = 5_000;

interface Request {
  readonly parts: readonly string[];
  readonly filter: LogFilter;
  readonly lines: number;
  readonly follow: boolean;
}

process.stdout.on('error', () => process.exit(0)); // as with `npm run logs | head`
process.exitCode = await main();

async function main(): Promise<number> {
  const request = requested();
  if (!request) return 2;
  const dataDir = whereDataIs();
  const folder = path.join(dataDir, 'logs');
  const isRunning = () => runningLauncher(dataDir) !== undefined;
  if (!isRunning() && !fs.existsSync(folder)) {
    console.error('No hay registros todavía. Para arrancar el servicio: npm start');
    return 1;
  }
  const files = request.parts.map((part) => ({ part, file: logFile(path.join(folder, `${part}.log`)) }));
  show(lastOf(files, request, folder));
  if (!isRunning()) {
    console.error(`El servicio no está en marcha: son las últimas líneas de ${shown(folder)}/.`);
    return 0;
  }
  if (request.follow) {
    await followed(files, request.filter, isRunning);
    console.error('El servicio se detuvo.');
  }
  return 0;
}

function requested(): Request | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      allowNegative: true,
      options: {
        quote: { type: 'string' },
        run: { type: 'string' },
        level: { type: 'string' },
        lines: { type: 'string', default: '20' },
        follow: { type: 'boolean', default: true },
      },
    });
    const unknown = positionals.find((part) => !PARTS.some((known) => known === part));
    if (unknown !== undefined) throw new Error(`No hay una parte «${unknown}».`);
    if (values.level !== undefined && !isLevel(values.level)) throw new Error(`No hay un nivel «${values.level}».`);
    if (!/^\d{1,5}$/.test(values.lines)) throw new Error('--lines es un número de líneas.');
    const { quote, run, level } = values;
    return {
      parts: positionals.length > 0 ? positionals : OWN,
      filter: { quote, run, level },
      lines: Number(values.lines),
      follow: values.follow,
    };
  } catch (error) {
    console.error(`${messageOf(error)}\n${USAGE}`);
    return undefined;
  }
}

function isLevel(text: string): text is LogLevel {
  return LOG_LEVELS.some((level) => level === text);
}

interface Part {
  readonly part: string;
  readonly file: LogFile;
}

/** The last lines of all sources, in order of time. */
function lastOf(files: readonly Part[], { filter, lines }: Request, folder: string): readonly LogLine[] {
  const found = files.flatMap(({ part, file }) => {
    let at = fs.statSync(path.join(folder, `${part}.log`), { throwIfNoEntry: false })?.mtime ?? new Date();
    return file.last(MAX_TAIL_LINES).flatMap((text) => {
      const line = parseLine(part, text, at);
      ({ at } = line);
      return passes(line, filter) ? [line] : [];
    });
  });
  return lines === 0 ? [] : found.toSorted((a, b) => a.at.getTime() - b.at.getTime()).slice(-lines);
}

/** Prints new lines until the stack has stopped. */
async function followed(files: readonly Part[], filter: LogFilter, isRunning: () => boolean): Promise<void> {
  let goesOn = true;
  let looks = 0;
  while (goesOn) {
    await sleep(READ_INTERVAL_MS);
    // Checked before the last read, so that no line of the shutdown is missed.
    if ((looks += 1) % CHECK_EVERY_READS === 0) goesOn = isRunning();
    const now = new Date();
    const came = files.flatMap(({ part, file }) => file.more().map((text) => parseLine(part, text, now)));
    show(came.filter((line) => passes(line, filter)).toSorted((a, b) => a.at.getTime() - b.at.getTime()));
  }
}

function show(lines: readonly LogLine[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.map(formatLine).join('\n')}\n`);
}
