import assert from 'node:assert/strict';
import { zipSync } from 'fflate';
import { createSpreadsheets } from '../../adapters/spreadsheets/spreadsheets.ts';
import { readXlsx } from '../../adapters/spreadsheets/xlsx.ts';
import { xlsx } from '../api/spreadsheet-files.ts';
import { eventually } from '../eventually.ts';
import { childProcesses } from './image-files.ts';

const MEGABYTE = 1024 * 1024;

describe('XLSX files', () => {
  it('of more than 50 MB unpacked are refused', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(51 * MEGABYTE) });

    assert.ok(bomb.length < MEGABYTE);
    await assert.rejects(readXlsx(bomb), /ocupa más de 50 MB sin comprimir/);
  });

  it('that declare less than they unpack to are not unpacked further', async () => {
    const bomb = Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(200 * MEGABYTE) }));
    // The size in the local header and in the central directory.
    for (let at = bomb.indexOf('PK\u0001\u0002'); at >= 0; at = bomb.indexOf('PK\u0001\u0002', at + 1))
      bomb.writeUInt32LE(1_000, at + 24);
    const before = process.memoryUsage().rss;

    await assert.rejects(readXlsx(bomb), /No se pudo leer el archivo XLSX/);

    assert.ok(process.memoryUsage().rss - before < 100 * MEGABYTE);
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
