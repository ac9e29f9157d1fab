import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Rule {
  readonly groupName?: string;
  readonly matchPackageNames?: readonly string[];
  readonly allowedVersions?: string;
  readonly matchFileNames?: readonly string[];
}
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const versionsIn = (file: string): ReadonlyMap<string, string> => {
  const { dependencies, devDependencies, optionalDependencies } = read(file) as Manifest;
  return new Map(Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }));
};

const config = read('renovate.json') as { readonly minimumReleaseAge: string; readonly packageRules: readonly Rule[] };
const FILES = [
  'package.json',
  'packages/client/package.json',
  'packages/n8n-nodes-quoting/package.json',
  'packages/zapier/package.json',
];

describe('renovate.json', () => {
  it('names existing packages in every rule', () => {
    const names = FILES.flatMap((file) => [...versionsIn(file).keys()]);

    const idle = config.packageRules
      .flatMap(({ matchPackageNames = [] }) => matchPackageNames)
      .filter(
        (pattern) =>
          !names.some((name) => name === pattern || (pattern.endsWith('**') && name.startsWith(pattern.slice(0, -2)))),
      );

    assert.deepEqual(idle, []);
  });

  it('allows the installed versions', () => {
    const held = config.packageRules.flatMap(({ allowedVersions, matchPackageNames = [], matchFileNames = FILES }) =>
      allowedVersions === undefined
        ? []
        : matchFileNames.flatMap((file) =>
            matchPackageNames.flatMap((name) => {
              const version = versionsIn(file).get(name);
              return version === undefined ? [] : [{ name, version, major: allowedVersions.replace(/x$/, '') }];
            }),
          ),
    );

    assert.ok(held.length >= 2);
    assert.deepEqual(
      held.filter(({ version, major }) => !version.startsWith(major)),
      [],
    );
  });

  it('has the waiting times of the documents, and every package has an exact version', () => {
    const text = readFileSync(new URL('../../docs/dependencies.md', import.meta.url), 'utf8');

    assert.ok(text.includes(`${config.minimumReleaseAge} old`));
    const ranges = FILES.flatMap((file) => [...versionsIn(file)]).filter(([, version]) => !/^\d/.test(version));
    assert.deepEqual(ranges, []);
  });
});
