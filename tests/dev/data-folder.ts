import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A temporary folder in the form of a launcher's `.data`. */
export const makeDataFolder = () => fs.mkdtemp(path.join(os.tmpdir(), 'quoting-dev-'));

export const removeFolder = (folder: string) => fs.rm(folder, { recursive: true, force: true });
