import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { released } from './changelog.ts';
import { writeSbom } from './sbom.ts';

/**
 * `npm run release -- 1.2.3`: CHANGELOG, version, commit and annotated tag, in this checkout. Pushing stays with whoever
 * releases. `--dry-run` looks at all of it and changes nothing.
 */

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/;
const FOLDER = 'dist/release';

/** Why there will be no release. */
class Refused extends Error {
  override readonly name = 'Refused';
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

interface Versioned {
  version: string;
  readonly packages?: Readonly<Record<string, { version: string }>>;
}
const currentVersion = (): string => (JSON.parse(readFileSync('package.json', 'utf8')) as Versioned).version;

function refuseUnlessReady(version: string): void {
  if (!VERSION.test(version)) throw new Refused(`"${version}" is no version such as 1.2.3`);
  const dirty = git('status', '--porcelain');
  if (dirty !== '') throw new Refused(`commit or put away first:\n${dirty}`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Refused(`the tag v${version} exists`);
  const current = currentVersion();
  // The first release is of the version that stands there already.
  const isFirst = git('tag', '--list', 'v*') === '';
  if (!isAbove(version, current) && !(isFirst && version === current)) {
    throw new Refused(`${version} does not come after ${current}`);
  }
}

/** Of two versions without their pre-release parts; equal ones are not above, so a pre-release precedes its release. */
function isAbove(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => VERSION.exec(text)?.slice(1, 4).map(Number) ?? []);
  const at = a?.findIndex((part, i) => part !== b?.[i]) ?? -1;
  if (at < 0) return than.includes('-') && version !== than;
  return (a?.[at] ?? 0) > (b?.[at] ?? 0);
}

function release(): void {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  const [version = '', ...more] = positionals;
  if (more.length > 0) throw new Refused('one version, and --dry-run if nothing is to be changed');
  refuseUnlessReady(version);
  const day = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = released(readFileSync('CHANGELOG.md', 'utf8'), version, day);
  if (values['dry-run']) {
    return print(`v${version} of ${day} would be released from ${git('rev-parse', '--short', 'HEAD')}:\n\n${notes}`);
  }

  writeFileSync('CHANGELOG.md', changelog);
  setVersion(version);
  git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'deploy/kubernetes');
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `${version}\n\n${notes}`);
  mkdirSync(FOLDER, { recursive: true });
  const sbom = `${FOLDER}/quoting-${version}.cdx.json`;
  writeSbom(sbom);
  print(
    [
      `v${version} is committed and tagged. Then:`,
      '  git push --follow-tags',
      `  attach ${sbom} to the release of the tag`,
    ].join('\n'),
  );
}

/** In package.json, twice in the lock, and as the tag of the image in the manifests. */
function setVersion(version: string): void {
  const change = (file: string, set: (content: Versioned) => void) => {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Versioned; // npm's own files
    set(content);
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  };
  change('package.json', (content) => (content.version = version));
  change('package-lock.json', (content) => {
    content.version = version;
    const root = content.packages?.[''];
    if (root) root.version = version;
  });
  for (const name of ['api', 'migrate', 'worker']) {
    const file = `deploy/kubernetes/${name}.yaml`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/image: quoting:.*/, `image: quoting:${version}`));
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  release();
} catch (error) {
  process.stderr.write(`no release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
