import assert from 'node:assert/strict';
import { type Program, ensurePrograms, missingText, obstacleToInstalling } from './programs.ts';

const PROGRAMS: readonly Program[] = [
  { name: 'php', debianPackage: 'php-cli', purpose: 'runs the sample' },
  { name: 'pg_dump', debianPackage: 'postgresql', purpose: 'try backup and restore' },
];

describe('Programs that the tests of the documents need', () => {
  it('a missing program that cannot be installed is reported with purpose, reason and command', () => {
    const obstacle = obstacleToInstalling({ uid: 1000, hasAptGet: true }) ?? '';

    assert.equal(
      missingText(PROGRAMS, obstacle),
      [
        'Missing on this machine:',
        '  php: runs the sample',
        '  pg_dump: try backup and restore',
        'Not installed: only root may install, and the tests do not run as root',
        'Once: sudo apt-get install php-cli postgresql',
      ].join('\n'),
    );
  });

  it('only root on Debian or Ubuntu installs programs', () => {
    assert.equal(obstacleToInstalling({ uid: 0, hasAptGet: true }), undefined);
    assert.match(obstacleToInstalling({ uid: 0, hasAptGet: false }) ?? '', /no Debian or Ubuntu/);
    assert.match(obstacleToInstalling({ uid: undefined, hasAptGet: false }) ?? '', /no Debian or Ubuntu/);
  });

  it('an installed program is not installed again', () => {
    assert.doesNotThrow(() => ensurePrograms({ name: 'sh', debianPackage: 'no-such-package', purpose: 'nothing' }));
  });
});
