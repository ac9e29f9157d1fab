import { guideNames, LANGUAGES } from '../docs/guides.ts';
import { runGuide } from '../docs/guide-runs.ts';
import { needs, testWorker } from '../stack.ts';
import { examplesOf } from '../docs/guides.ts';

needs('temporal', 'storage', 'inbox');

/** The shell examples run in tests/docs/guides.test.ts. PHP and Go are installed by apt-get if root runs the tests. */
describe('examples of the guides', function () {
  // A missing language is installed first.
  this.timeout(400_000);

  before(async () => {
    await testWorker();
  });

  for (const language of LANGUAGES.filter((each) => each !== 'sh')) {
    for (const name of guideNames()) {
      if (!examplesOf(name).some(({ programs }) => programs[language])) continue;

      it(`${name}: each program in ${language} runs and has its outcome`, () => runGuide(name, language));
    }
  }
});
