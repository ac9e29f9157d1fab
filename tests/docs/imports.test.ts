import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { codesIn, document, ROOT, tableOf } from './documents.ts';

/** An import or re-export of another file: its clause, where it has one, and the file. */
const IMPORT = /^(?:import|export) ([^;']*?)from '(\.[^']+)';|\b(?:import\(|^import )'(\.[^']+)'/gm;

/** `import type …`, and braces in which every name is a type. */
const isTypeOnly = (clause: string): boolean =>
  clause.startsWith('type ') || /^\{\s*(?:type [^,}]+,?\s*)+\}\s*$/.test(clause);

describe('imports between the folders of docs/architecture.md', () => {
  const table = tableOf(document('docs/architecture.md'), 'folder').map(([folder = '', , mayImport = '']) => {
    const [values = '', types = ''] = mayImport.split('; types:');
    return { folder: codesIn(folder)[0] ?? '', values: codesIn(values), types: codesIn(types) };
  });

  it('are in the table for every folder that the build compiles', () => {
    const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.build.json'), 'utf8')) as { include: string[] };
    assert.deepEqual(table.map(({ folder }) => folder).sort(), include.map((name) => `${name}/`).sort());
  });

  for (const { folder, values, types } of table) {
    it(`${folder} imports only what its row allows`, () => {
      const refused: string[] = [];
      for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.ts')) continue;
        const file = join(folder, name);
        for (const [, clause = '', from, loaded] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
          const target = normalize(join(dirname(file), from ?? loaded ?? ''));
          const allowed = [folder, ...values, ...(isTypeOnly(clause) ? types : [])];
          if (!allowed.some((prefix) => target.startsWith(prefix))) refused.push(`${file}: ${target}`);
        }
      }
      assert.deepEqual(refused, []);
    });
  }
});
