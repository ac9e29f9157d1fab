import assert from 'node:assert/strict';
import { type Program, ensurePrograms, missingText, obstacleToInstalling } from './programs.ts';

const PROGRAMS: readonly Program[] = [
  { name: 'php', debianPackage: 'php-cli', purpose: 'runs the sample' },
  { name: 'pg_dump', debianPackage: 'postgresql', purpose: 'try backup and restore' },
];

describe('program that the documents’ tests need', () => {
  it('is named when it is missing and cannot be installed: its purpose, why not, and the command to install it', () => {
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

  it('is installed only by root on Debian or Ubuntu', () => {
    assert.equal(obstacleToInstalling({ uid: 0, hasAptGet: true }), undefined);
    assert.match(obstacleToInstalling({ uid: 0, hasAptGet: false }) ?? '', /no Debian or Ubuntu/);
    assert.match(obstacleToInstalling({ uid: undefined, hasAptGet: false }) ?? '', /no Debian or Ubuntu/);
  });

  it('is not installed when it is there', () => {
    assert.doesNotThrow(() => ensurePrograms({ name: 'sh', debianPackage: 'no-such-package', purpose: 'nothing' }));
  });
});
