import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { ensurePrograms } from '../docs/programs.ts';

// renovate: datasource=go depName=sigs.k8s.io/kustomize/kustomize/v5
const KUSTOMIZE_VERSION = 'v5.8.1';

/**
 * The manifests that `kubectl kustomize` builds from a folder. Without kubectl, Go compiles kustomize: minutes the
 * first time, seconds afterwards.
 */
export function kustomize(folder: string): readonly unknown[] {
  const [program = '', ...args] = isThere('kubectl') ? ['kubectl', 'kustomize'] : compiled();
  const { status, stdout, stderr, error } = spawnSync(program, [...args, folder], { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`kustomize ended with ${status}\n${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as unknown);
}

const isThere = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

function compiled(): readonly string[] {
  ensurePrograms({ name: 'go', debianPackage: 'golang-go', purpose: 'builds the manifests of deploy/kubernetes' });
  return ['go', 'run', `sigs.k8s.io/kustomize/kustomize/v5@${KUSTOMIZE_VERSION}`, 'build'];
}
