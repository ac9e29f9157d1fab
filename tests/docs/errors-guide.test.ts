import assert from 'node:assert/strict';
import { STATUS } from '../../api/middleware/errors.ts';
import { REASONS, UNEXPECTED } from '../../domain/refusal-reasons.ts';
import { document } from './documents.ts';

interface Section {
  readonly code: string;
  readonly status: number;
  readonly rows: readonly (readonly string[])[];
}

/** The sections of the guide: a heading like "`conflict` (409)" and a table of its reasons. */
function sections(): readonly Section[] {
  return document('docs/guides/errors.md')
    .prose.split(/^## /m)
    .slice(1)
    .map((text) => {
      const [, code = '', status] = /^`(\w+)` \((\d{3})\)$/m.exec(text) ?? [];
      const rows = [...text.matchAll(/^\| `(\w+)` +\| ([^|]*)\| ([^|]*)\|$/gm)].map(([, ...cells]) =>
        cells.map((cell) => cell.trim()),
      );
      return { code, status: Number(status), rows };
    });
}

describe('docs/guides/errors.md', () => {
  const guide = sections();

  it('has every code with its status', () => {
    const documented = guide.map(({ code, status }) => [code, status]);

    assert.equal(documented.length, new Set(guide.map(({ code }) => code)).size);
    assert.deepEqual(Object.fromEntries(documented), { ...STATUS, [UNEXPECTED.code]: 500 });
  });

  it('has every reason once, under its code', () => {
    const documented = guide.map(({ code, rows }) => [code, rows.map(([reason = '']) => reason).toSorted()]);

    const reasons = Object.entries({ ...REASONS, [UNEXPECTED.code]: [UNEXPECTED.reason] });
    assert.deepEqual(
      Object.fromEntries(documented),
      Object.fromEntries(reasons.map(([code, own]) => [code, [...own].toSorted()])),
    );
  });

  it('gives a cause and a remedy for every reason, each a sentence', () => {
    const rows = guide.flatMap((section) => section.rows);

    const incomplete = rows.filter((cells) => cells.slice(1).some((cell) => !/^[A-Z`].*\.$/.test(cell)));
    assert.deepEqual(incomplete, []);
  });

  it('gives no two reasons the same cause', () => {
    const causes = guide.flatMap(({ rows }) => rows.map(([, cause]) => cause));

    assert.deepEqual(
      causes.filter((cause, index) => causes.indexOf(cause) !== index),
      [],
    );
  });
});
