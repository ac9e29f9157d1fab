import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hashOfInputs } from '../inputs.ts';
import { MANIFEST, type Manifest } from '../manifest.ts';
import { renderSite, writeSite } from './build-site.ts';
import type { OpenApi } from './reference/openapi.ts';

/** Builds the documentation into a folder, unless it holds what these inputs make. */
export async function buildDocumentation(openApi: string, target: string): Promise<void> {
  const inputs = hashOfInputs(openApi);
  const manifest = path.join(target, MANIFEST);
  // Only this function writes it.
  const isBuilt = existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest).inputs === inputs;
  if (!isBuilt) await writeSite(await renderSite(JSON.parse(openApi) as OpenApi), target, inputs);
}
