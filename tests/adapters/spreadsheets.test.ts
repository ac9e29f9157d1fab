import assert from 'node:assert/strict';
import { createSpreadsheets } from '../../adapters/spreadsheets/spreadsheets.ts';
import { readXlsx } from '../../adapters/spreadsheets/xlsx.ts';
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
