import assert from 'node:assert/strict';
import { readSheet } from 'read-excel-file/node';
import { createSpreadsheets, type Spreadsheets } from '../../adapters/spreadsheets/spreadsheets.ts';
import { readXlsx } from '../../adapters/spreadsheets/xlsx.ts';
import type { Row } from '../../adapters/spreadsheets/xlsx-file.ts';
import { xlsx } from '../api/spreadsheet-files.ts';
import { eventually } from '../eventually.ts';
import { childProcesses } from './image-files.ts';

/** Begins an entry of the central directory, where the unpacked size is at 24. */
const ENTRY = 'PK\u0001\u0002';

describe('XLSX files', () => {
  /** A file that declares this unpacked size, whatever its size is. */
  async function declaring(bytes: number): Promise<Buffer> {
    const file = await xlsx([['contacto'], ['Ana'.repeat(1_000)]]);
    for (let at = file.indexOf(ENTRY); at >= 0; at = file.indexOf(ENTRY, at + 1)) file.writeUInt32LE(bytes, at + 24);
    return file;
  }

  it('of more than 50 MB unpacked are refused before they are unpacked', async () => {
    await assert.rejects(readXlsx(await declaring(51 * 1024 * 1024)), /ocupa más de 50 MB sin comprimir/);
  });

  it('that declare less than they hold are unpacked to the declared size only, and refused', async () => {
    await assert.rejects(readXlsx(await declaring(100)), /No se pudo leer el archivo XLSX/);
  });

  it('give the last values of formulas and what cells show', async () => {
    const file = await xlsx([
      ['nombre', 'precio'],
      ['Silla', 143.48],
      ['Mesa', 0.1 + 0.2],
    ]);

    assert.deepEqual(await readXlsx(file), [
      ['nombre', 'precio'],
      ['Silla', '143.48'],
      ['Mesa', '0.3'],
    ]);
  });

  it('are read in a process that is killed when the caller disconnects', async () => {
    const file = await xlsx([['contacto'], ['Ana']]);
    const children = childProcesses();
    const caller = new AbortController();
    const reading = createSpreadsheets().read({ file, kind: 'clients' }, { key: 'a', signal: caller.signal });
    const outcome = assert.rejects(reading, /the caller disconnected/);
    await eventually(() => assert.ok(childProcesses() > children, 'no process reads the file'));

    caller.abort();

    await outcome;
    await eventually(() => assert.equal(childProcesses(), children));
  });
});

describe('XLSX files that are written', () => {
  const columns = [
    { header: 'Número', width: 9 },
    { header: 'Notas', width: 40 },
  ];
  const write: Spreadsheets['write'] = (sheet, permit) => createSpreadsheets({ totalMs: 120_000 }).write(sheet, permit);

  async function* batches(count: number, cells: (index: number) => Row) {
    for (let first = 0; first < count; first += 500)
      yield Array.from({ length: Math.min(500, count - first) }, (_, index) => cells(first + index));
  }

  it('hold the largest export, 5 000 rows of 22 columns with long texts', async function () {
    this.timeout(180_000);
    const wide = Array.from({ length: 22 }, (_, index) => ({ header: `Columna ${index}`, width: 10 }));
    const cells = (row: number): Row =>
      wide.map((_, index) => {
        if (index < 6) return { number: row + index / 100, decimals: 2 };
        return index < 9
          ? { date: new Date(row * 86_400_000), hasTime: true }
          : `${row} ${index} `.padEnd(index === 9 ? 300 : 30, 'ñ');
      });
    const file = await write({ columns: wide, batches: batches(5_000, cells) }, { key: 'a' });

    const read = await readSheet(file);

    assert.deepEqual([read.length, read.at(-1)?.[0], read.at(-1)?.[9]], [5001, 4999, '4999 9 '.padEnd(300, 'ñ')]);
  });

  it('are written in a process that is killed when the caller disconnects', async () => {
    const children = childProcesses();
    const caller = new AbortController();
    const endless = batches(5_000, (index) => [{ number: index, decimals: 0 }, 'n'.repeat(300)]);
    const outcome = assert.rejects(
      write({ columns, batches: endless }, { key: 'a', signal: caller.signal }),
      /the caller disconnected/,
    );
    await eventually(() => assert.ok(childProcesses() > children, 'no process writes the file'));

    caller.abort();

    await outcome;
    await eventually(() => assert.equal(childProcesses(), children));
  });

  it('are given up with the error of a batch that cannot be read', async () => {
    const children = childProcesses();
    const failing = (async function* () {
      yield [['1', 'uno']];
      await Promise.reject(new Error('the database is gone'));
    })();

    await assert.rejects(write({ columns, batches: failing }, { key: 'a' }), /the database is gone/);

    await eventually(() => assert.equal(childProcesses(), children));
  });
});
