import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, ROOT } from '../docs/documents.ts';
import { examplesIn, runGuide } from '../docs/guide-runs.ts';
import { examplesOf, guideNames, isRecording, LANGUAGES, rewriteBlocks } from '../docs/guides.ts';
import { asShown, stable } from '../docs/recorded-json.ts';
import { needs, testWorker } from '../stack.ts';

needs('temporal', 'storage', 'inbox');

before(async () => {
  await testWorker();
});

/** `npm run docs:guides` records their responses in the guides. */
describe('shell examples of the guides', () => {
  for (const name of guideNames().filter((each) => examplesIn(each, 'sh').length > 0)) {
    it(`${name}: each command has its outcome, and the recorded responses are those of the service (npm run docs:guides)`, async () => {
      const recorded = new Map<Block, string>();
      const problems: string[] = [];

      await runGuide(name, 'sh', (example, output) => {
        const { response } = example;
        if (!response) return;
        const now = asShown(output);
        if (isSame(response.text, now)) return;
        recorded.set(response, now);
        problems.push(`${example.name}: the service responds\n${now}`);
      });

      if (isRecording) rewriteBlocks(name, recorded);
      else assert.deepEqual(problems, []);
    });
  }
});

const isSame = (shown: string, now: string): boolean => {
  try {
    assert.deepEqual(stable(JSON.parse(shown)), stable(JSON.parse(now)));
    return true;
  } catch {
    return false;
  }
};

/** PHP and Go are installed by apt-get if root runs the tests. */
describe('examples of the guides in other languages', function () {
  // A missing language is installed first.
  this.timeout(400_000);

  for (const language of LANGUAGES.filter((each) => each !== 'sh')) {
    for (const name of guideNames()) {
      if (!examplesOf(name).some(({ programs }) => programs[language])) continue;

      it(`${name}: each program in ${language} runs and has its outcome`, () => runGuide(name, language));
    }
  }

  it('in TypeScript have no type errors under the rules of this repository', () => {
    // Inside the repository, so that the types of Node are found; in a folder that git ignores.
    mkdirSync(join(ROOT, '.data'), { recursive: true });
    const folder = mkdtempSync(join(ROOT, '.data/guides-'));
    const programs = guideNames().flatMap((name) => examplesOf(name).flatMap(({ programs: { ts } }) => ts?.text ?? []));
    for (const [at, text] of programs.entries()) writeFileSync(join(folder, `${at}.ts`), text);
    const settings = { extends: '../../tsconfig.json', compilerOptions: { rootDir: '../..' }, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));

    try {
      const { status, stdout } = spawnSync('npx', ['tsc', '--noEmit', '-p', folder], { cwd: ROOT, encoding: 'utf8' });

      assert.ok(programs.length > 25, `only ${programs.length} programs`);
      assert.equal(status, 0, stdout);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
