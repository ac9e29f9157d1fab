import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ROOT } from './documents.ts';

const read = (path: string) => readFileSync(ROOT + path, 'utf8');
const licenceOf = (path: string) => (JSON.parse(read(path)) as { license: string }).license;

/** Licences that require no more than their own text, which each package contains. */
const PLAIN =
  /^(MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Unlicense|MIT-0|\(MIT OR .*\)|Apache-2\.0 AND MIT)$/;

describe('LICENSE and NOTICE', () => {
  it('name MIT wherever a licence is named: both packages and the OpenAPI document', () => {
    const document = JSON.parse(read('packages/client/openapi.json')) as { info: { license: { identifier: string } } };

    assert.match(read('LICENSE'), /^MIT License/);
    assert.deepEqual(
      [licenceOf('package.json'), licenceOf('packages/client/package.json'), document.info.license.identifier],
      ['MIT', 'MIT', 'MIT'],
    );
  });

  it('is packed with the client', () => {
    assert.equal(read('packages/client/LICENSE'), read('LICENSE'));
  });

  it('name every installed package under another licence', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { license?: string; dev?: boolean; link?: boolean }>;
    };
    const names = read('NOTICE').match(/^[@a-z][\w@/*.-]*(?= {2,})/gm) ?? [];

    const special = Object.entries(packages)
      .filter(
        ([path, { dev, link, license = '' }]) =>
          path.includes('node_modules/') && !dev && !link && !PLAIN.test(license),
      )
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    // Belongs to a package's platform binaries too.
    const missing = special.filter((name) => !names.some((known) => name.startsWith(known.replace(/\*$/, ''))));
    assert.ok(special.length > 10 && names.length > 6);
    assert.deepEqual(missing, []);
  });
});
