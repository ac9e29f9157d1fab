import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Whether PostgreSQL's own bench is installed. */
export async function hasPgbench(): Promise<boolean> {
  try {
    await promisify(execFile)('pgbench', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Runs a script that many times over so many connections, with prepared statements; its process ends before this returns. */
export async function pgbench(
  url: string,
  script: string,
  { clients, transactions }: { readonly clients: number; readonly transactions: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quoting-pgbench-'));
  try {
    const file = join(folder, 'script.sql');
    await writeFile(file, script);
    const each = String(Math.ceil(transactions / clients));
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-t', each, '-f', file, url];
    const child = spawn('pgbench', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [code]: unknown[] = await once(child, 'close');
    if (code !== 0) throw new Error(`pgbench ended with ${String(code)}: ${errors}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
