import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Typed {
  readonly apiVersion: string;
  readonly kind: string;
}

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** The module with the type `I<kind>` and the class `<kind>`, generated from the OpenAPI document or from the CRD. */
const moduleOf = ({ apiVersion, kind }: Typed): string =>
  `${apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}/${kind}`;

type Models = Readonly<Record<string, new (data: object) => { validate(): void }>>;

/** The errors of a manifest by the schemas of Kubernetes and of the Prometheus operator: values, formats, patterns. */
export async function schemaErrors(manifest: Typed): Promise<readonly string[]> {
  // The name is known at run time only; a kind without a model rejects here.
  const models = (await import(moduleOf(manifest))) as Models;
  const Model = models[manifest.kind];
  if (!Model) return [`${moduleOf(manifest)} has no model`];
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind}: ${String(error)}`];
  }
}

/** TypeScript's errors when the manifests are literals of their types. Unlike the schemas, it finds unknown members. */
export function typeErrors(manifests: readonly Typed[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-manifests-'));
  try {
    symlinkSync(MODULES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'manifests.ts'), manifests.map(literal).join(''));
    const tsc = join(MODULES, '.bin/tsc');
    const args = ['--noEmit', '--strict', '--module', 'nodenext', 'manifests.ts'];
    const { status, stdout, stderr, error } = spawnSync(tsc, args, { cwd: folder, encoding: 'utf8' });
    if (error) throw error;
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const literal = (manifest: Typed, i: number): string =>
  `import type { I${manifest.kind} as T${i} } from '${moduleOf(manifest)}';
export const manifest${i}: T${i} = ${JSON.stringify(manifest, null, 1)};
`;
