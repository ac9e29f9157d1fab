import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { hashOfInputs } from '../inputs.ts';
import { MANIFEST, type Manifest } from '../manifest.ts';
import { renderSite, writeSite } from './build-site.ts';
import type { OpenApi } from './reference/openapi.ts';

// `main.ts <folder> < openapi.json` builds the documentation, unless the folder holds what these inputs make.
const target = path.resolve(process.argv[2] ?? 'dist/site');
const openApi = JSON.stringify(JSON.parse(await text(process.stdin)));
const inputs = hashOfInputs(openApi);
const manifest = path.join(target, MANIFEST);
// Only this program writes it.
const isBuilt = existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest).inputs === inputs;
if (!isBuilt) await writeSite(await renderSite(JSON.parse(openApi) as OpenApi), target, inputs);
