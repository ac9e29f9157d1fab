import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Everything that a release reads or changes. */
const FILES = [
  '.npmrc',
  'CHANGELOG.md',
  'deploy/kubernetes/kustomization.yaml',
  'dev/release.sh',
  'package-lock.json',
  'package.json',
  'packages/client/package.json',
  'packages/n8n-nodes-quoting/package-lock.json',
  'packages/n8n-nodes-quoting/package.json',
  'packages/zapier/package-lock.json',
  'packages/zapier/package.json',
];

describe('npm version', () => {
  let folder: string;

  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  // `npm test --silent` would silence the npm that is started here as well.
  const npmVersion = (version: string) =>
    spawnSync('npm', ['version', version, '--loglevel=error'], { cwd: folder, encoding: 'utf8' });
  const state = () => ({ head: git('rev-parse', 'HEAD'), tags: git('tag'), dirty: git('status', '--porcelain') });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quoting-release-'));
    for (const file of FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    git('init', '--quiet');
    git('config', 'user.name', 'Diana');
    git('config', 'user.email', 'diana@example.com');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'chore: prepare');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('moves "Unreleased" under version and day, sets the version everywhere, commits and tags', () => {
    const before = git('rev-parse', 'HEAD');

    const { status, stderr } = npmVersion('0.2.0');

    assert.equal(status, 0, stderr);
    assert.match(text('CHANGELOG.md'), /\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\nThe first version\.\n/);
    const lock = JSON.parse(text('package-lock.json'));
    assert.deepEqual(
      [JSON.parse(text('package.json')).version, lock.version, lock.packages[''].version],
      ['0.2.0', '0.2.0', '0.2.0'],
    );
    const ofPackages = FILES.filter((file) => file.startsWith('packages/')).map(
      (file) => JSON.parse(text(file)).version,
    );
    assert.deepEqual([...ofPackages, lock.packages['packages/client'].version], Array(6).fill('0.2.0'));
    assert.match(text('deploy/kubernetes/kustomization.yaml'), /\n {4}newTag: 0\.2\.0\n/);
    assert.equal(git('log', '-1', '--format=%s'), 'chore(release): 0.2.0');
    assert.equal(git('rev-parse', 'HEAD~1'), before);
    assert.equal(git('rev-parse', 'v0.2.0^{commit}'), git('rev-parse', 'HEAD'));
    assert.equal(git('status', '--porcelain'), '');
  });

  it('refuses an existing tag, an uncommitted change and an empty changelog, and changes nothing', () => {
    const refusals: string[] = [];
    const refuse = (version: string) => {
      const before = state();
      const { status, stderr } = npmVersion(version);
      assert.equal(status, 1);
      assert.deepEqual(state(), before);
      refusals.push(/no release: .*|Git working directory not clean/.exec(stderr)?.[0] ?? stderr);
    };
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\nOld.\n');
    refuse('0.4.0');
    git('commit', '--quiet', '--all', '--message', 'docs: empty the changelog');
    refuse('0.4.0');
    git('tag', 'v0.5.0');
    refuse('0.5.0');

    assert.deepEqual(refusals, [
      'Git working directory not clean',
      'no release: CHANGELOG.md has nothing under "Unreleased"',
      'no release: the tag v0.5.0 exists',
    ]);
  });
});

describe('npm run sbom', () => {
  it('prints a CycloneDX document of the packages of production', () => {
    const { status, stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1_024 ** 2,
    });

    assert.equal(status, 0);
    const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: { name: string }[] };
    const names = new Set(components.map(({ name }) => name));
    assert.deepEqual([bomFormat, names.has('koa'), names.has('mocha')], ['CycloneDX', true, false]);
  });
});
