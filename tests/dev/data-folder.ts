import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A folder of the test's own, as a launcher would use `.data`. */
export const makeDataFolder = () => fs.mkdtemp(path.join(os.tmpdir(), 'quoting-dev-'));

export const removeFolder = (folder: string) => fs.rm(folder, { recursive: true, force: true });
