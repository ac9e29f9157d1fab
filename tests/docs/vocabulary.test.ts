import assert from 'node:assert/strict';
import { brokenReferences, findTerms, readRetiredTerms, searchedFiles } from './retired-terms.ts';

describe('Vocabulary of code, tests and documents', () => {
  const retired = readRetiredTerms();
  const files = searchedFiles();

  it('no retired term of docs/retired-terms.txt remains', () => {
    assert.ok(files.length > 500, `only ${files.length} files were searched`);
    assert.deepEqual(
      files.flatMap(({ path, text }) =>
        findTerms(path, text, retired).map(({ line, term }) => `${path}:${line} ${term}`),
      ),
      [],
    );
  });

  it('references to documents resolve to a file and a heading', () => {
    assert.deepEqual(
      files.flatMap(({ path, text }) => brokenReferences(path, text, retired)),
      [],
    );
  });

  it('the search finds phrases over two lines, parts of names, references and file names, and honours exceptions', () => {
    const own = readRetiredTerms('take along\n`KEPT_`\n/\\(D\\d+\\)/\nallow old/ | for ever | its history\n');
    const find = (path: string, text: string) => findTerms(path, text, own).map(({ line, term }) => `${line} ${term}`);

    assert.deepEqual(find('a.ts', '/** Take\n * along. */\nconst KEPT_MS = 1; // (D26)'), [
      '1 Take * along',
      '3 KEPT_',
      '3 (D26)',
    ]);
    assert.deepEqual(find('a/KEPT_.ts', ''), ['0 KEPT_']);
    assert.deepEqual(find('old/a.ts', 'KEPT_ for ever\nKEPT_'), ['2 KEPT_']);
  });
});
