import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeSbom } from './sbom.ts';

// `npm run sbom [-- file]`
const [file = 'dist/release/quoting.cdx.json'] = process.argv.slice(2);
mkdirSync(dirname(file), { recursive: true });
writeSbom(file);
process.stdout.write(`${file}\n`);
