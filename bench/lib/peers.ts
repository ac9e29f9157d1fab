import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../dev/problem.ts';

/**
 * What the service is measured against: installed and built by the first run that needs it, in bench/reference and
 * nowhere else. A run that cannot have it fails: a report without its ratios would look as if all goals were met.
 */

const FOLDER = fileURLToPath(new URL('../reference/', import.meta.url));
const MODULES = path.join(FOLDER, 'node_modules');

export function preparePeers(say: (line: string) => void): void {
  once('installed', ['package-lock.json'], () => {
    say('installing what the service is measured against, once');
    // Three of the packages ask for a newer Node than ours, which .npmrc would refuse. Two are never run here (Prisma's
    // development server, Fastify's testing aid); graphile-worker runs on this one all the same.
    const options = ['--ignore-scripts', '--engine-strict=false', '--no-audit', '--no-fund', '--loglevel=error'];
    run('npm', ['ci', ...options, '--prefix', FOLDER]);
  });
  once('built', ['package-lock.json', 'prisma', 'next-prisma'], () => {
    say("making Prisma's client and building the Next app, once");
    run(process.execPath, [path.join(MODULES, 'prisma/build/index.js'), 'generate', '--no-hints'], {
      // It asks for an engine, to be downloaded, that it does not use: any program will do.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
    });
    run(process.execPath, [path.join(MODULES, 'next/dist/bin/next'), 'build', 'next-prisma'], {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    });
  });
}

/** Does the work unless it was done with the same sources. Its mark goes with the packages when they are installed anew. */
function once(name: string, sources: readonly string[], work: () => void): void {
  const mark = path.join(MODULES, `.bench-${name}`);
  const hash = createHash('sha256');
  for (const source of sources) for (const file of filesOf(path.join(FOLDER, source))) hash.update(readFileSync(file));
  const digest = hash.digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  work();
  writeFileSync(mark, digest);
}

/** The file, or all in that folder but what Next has built. */
const filesOf = (source: string): readonly string[] =>
  statSync(source).isFile()
    ? [source]
    : readdirSync(source)
        .filter((name) => name !== '.next')
        .toSorted()
        .flatMap((name) => filesOf(path.join(source, name)));

/** Shows what the program says only when it fails. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: FOLDER,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 ** 2,
  });
  if (status === 0) return;
  const said = `${stdout}${stderr}`.trim().slice(-5_000);
  throw new Problem(
    `what the service is measured against could not be made ready (without a network: --no-peers)\n${said || String(error)}`,
  );
}
