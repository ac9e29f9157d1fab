import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { postgresAccount, postgresHome } from '../../dev/postgres-binaries.ts';
import { ensureTool } from '../../dev/tools.ts';
import { type Machine, reliabilityPage } from './reliability.ts';
import type { Finding } from './report.ts';

// Makes docs/reliability.md from all lines of long runs; other files can be named.
const [found = 'docs/reliability.jsonl', page = 'docs/reliability.md'] = process.argv.slice(2);

const lines = (await readFile(found, 'utf8')).split('\n').filter((line) => line !== '');
// Written by report(), line by line.
const findings = lines.map((line) => JSON.parse(line) as Finding);
const date = new Date().toISOString().slice(0, 10);
await writeFile(page, reliabilityPage(findings, { machine: await thisMachine(), date }));
execFileSync('npx', ['oxfmt', page], { stdio: ['ignore', 'ignore', 'inherit'] });
console.log(`${page}: ${findings.length} findings`);

async function thisMachine(): Promise<Machine> {
  const version = (command: string) =>
    /\d+\.\d+(\.\d+)?/.exec(execFileSync(command, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'unknown';
  const temporal = execFileSync(await ensureTool('temporal'), ['--version'], { encoding: 'utf8' });
  return {
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: version(join(postgresHome(postgresAccount()), 'bin', 'postgres')),
    // The command line has its own version beside the server's.
    temporal: /Server (\d[\d.]*)/.exec(temporal)?.[1] ?? 'unknown',
  };
}
