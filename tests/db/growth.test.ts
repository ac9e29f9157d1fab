import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SETTING_NAMES } from '../../adapters/config.ts';
import { tenantTables } from './catalogue.ts';
import { testDatabase } from './database.ts';

describe('docs/operations.md, what a tenant accumulates', () => {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## What a tenant accumulates\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| (`.*)\|$/gm)].map(([, row = '']) => row.split('|'));
  const namesIn = (cells: readonly string[]) =>
    cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

  it('names each table of tenants once, and no other', async () => {
    const { owner } = await testDatabase();
    const tables = (await tenantTables(owner)).map(({ name }) => name);

    const named = rows.flatMap(([tablesCell = '']) => namesIn([tablesCell]));

    assert.deepEqual(named.toSorted(), tables.toSorted());
  });

  it('names settings that exist', () => {
    const settings = namesIn(rows.flatMap(([, ...cells]) => cells)).filter((name) => /^[A-Z_]+$/.test(name));

    assert.ok(settings.length > 8);
    assert.deepEqual(
      settings.filter((name) => !SETTING_NAMES.includes(name)),
      [],
    );
  });
});
