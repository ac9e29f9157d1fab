import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { released } from '../../dev/changelog.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Bom {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string }[];
}

/** What the CycloneDX specification's own schemas (cyclonedx/, copies) say against it. */
function schemaErrors(bom: Bom) {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`cyclonedx/${name}.schema.json`, import.meta.url), 'utf8')) as object;
  const valid = ajv.addSchema(read('spdx')).addSchema(read('jsf-0.82')).compile(read('bom-1.5'));
  valid(bom);
  return valid.errors;
}

describe('npm run release', () => {
  let folder: string;

  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  const run = (script: string, ...args: readonly string[]) =>
    spawnSync('node', ['--import', 'tsx', script, ...args], { cwd: folder, encoding: 'utf8' });
  const release = (...args: readonly string[]) => run('dev/release.ts', ...args);
  const state = () => ({ head: git('rev-parse', 'HEAD'), tags: git('tag'), dirty: git('status', '--porcelain') });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quoting-release-'));
    execFileSync('git', ['clone', '--quiet', '--no-tags', `file://${ROOT}`, folder], { stdio: 'pipe' });
    // As it is being written, too.
    const args = ['ls-files', '--modified', '--others', '--exclude-standard'];
    for (const file of execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)) {
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
    git('config', 'user.name', 'Diana');
    git('config', 'user.email', 'diana@example.com');
    git('config', 'core.hooksPath', '/dev/null');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'Prepare');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('moves what is unreleased under version and day, sets the version, commits, tags and writes the SBOM', () => {
    const before = git('rev-parse', 'HEAD');
    const manifests = ['api', 'migrate', 'worker'].map((name) => `deploy/kubernetes/${name}.yaml`);

    const { status, stdout, stderr } = release('0.2.0');

    assert.equal(status, 0, stderr);
    assert.match(stdout, /git push --follow-tags/);
    assert.match(text('CHANGELOG.md'), /\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\nThe first version\.\n/);
    const lock = JSON.parse(text('package-lock.json'));
    assert.deepEqual(
      [JSON.parse(text('package.json')).version, lock.version, lock.packages[''].version],
      ['0.2.0', '0.2.0', '0.2.0'],
    );
    assert.equal(git('log', '-1', '--format=%s'), 'Release 0.2.0');
    assert.deepEqual(git('show', '--name-only', '--format=', 'HEAD').split('\n'), [
      'CHANGELOG.md',
      ...manifests,
      'package-lock.json',
      'package.json',
    ]);
    assert.deepEqual(
      manifests.map((file) => /image: (.*)/.exec(text(file))?.[1]),
      ['quoting:0.2.0', 'quoting:0.2.0', 'quoting:0.2.0'],
    );
    assert.equal(git('rev-parse', 'HEAD~1'), before);
    assert.equal(git('rev-parse', 'v0.2.0^{commit}'), git('rev-parse', 'HEAD'));
    assert.match(git('tag', '--list', '--format=%(contents)', 'v0.2.0'), /^0\.2\.0\n\nThe first version\./);
    assert.equal(git('status', '--porcelain'), '');
    const bom = JSON.parse(text('dist/release/quoting-0.2.0.cdx.json')) as Bom;
    assert.deepEqual(schemaErrors(bom), null);
    assert.deepEqual([bom.metadata.component.name, bom.metadata.component.version], ['quoting', '0.2.0']);
    // A package of production, and one of development.
    const names = new Set(bom.components.map(({ name }) => name));
    assert.deepEqual([names.has('koa'), names.has('mocha')], [true, false]);
  });

  it('changes nothing with --dry-run, and says what it would release', () => {
    const before = state();

    const { status, stdout } = release('0.2.0', '--dry-run');

    assert.equal(status, 0);
    assert.match(stdout, /^v0\.2\.0 of .* would be released from [0-9a-f]+:\n\nThe first version\./);
    assert.deepEqual(state(), before);
  });

  it('refuses a tree with changes, a wrong or lower version, a tag that exists and an empty changelog', () => {
    const refusals: string[] = [];
    const refusedWith = (...args: readonly string[]) => {
      const before = state();
      const { status, stderr } = release(...args);
      assert.equal(status, 1);
      assert.deepEqual(state(), before);
      refusals.push(stderr.split('\n')[0] ?? '');
    };

    refusedWith('next');
    refusedWith('0.0.9');
    git('tag', 'v0.3.0');
    refusedWith('0.3.0');
    writeFileSync(join(folder, 'new.txt'), 'x');
    refusedWith('0.4.0');
    rmSync(join(folder, 'new.txt'));
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n');
    git('commit', '--quiet', '--all', '--message', 'Empty it');
    refusedWith('0.4.0');

    assert.deepEqual(refusals, [
      'no release: "next" is no version such as 1.2.3',
      'no release: 0.0.9 does not come after 0.1.0',
      'no release: the tag v0.3.0 exists',
      'no release: commit or put away first:',
      'no release: CHANGELOG.md says nothing under "## Unreleased"',
    ]);
  });
});

describe('A release of the changelog', () => {
  it('takes what stands above the release before, and no more', () => {
    const before = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 (2026-01-02)\n\n- Old.\n';

    const { changelog, notes } = released(before, '1.1.0', '2026-12-15');

    assert.equal(notes, '- New.');
    assert.equal(
      changelog,
      '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-12-15)\n\n- New.\n\n## 1.0.0 (2026-01-02)\n\n- Old.\n',
    );
  });
});
