import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

interface Bom {
  readonly metadata: { readonly component: object };
}

/**
 * What is installed in production, as CycloneDX 1.5: npm's own list of the lock file, without development packages. The
 * binaries of the embedded stack, which an installation does not have, are in it as optional.
 */
function sbom(): string {
  const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '--package-lock-only'];
  const bom = JSON.parse(
    execFileSync('npm', ['sbom', ...options], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  ) as Bom; // npm's
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
  // npm calls it by the name of the folder.
  const metadata = { ...bom.metadata, component: { ...bom.metadata.component, name } };
  return `${JSON.stringify({ ...bom, metadata }, null, 2)}\n`;
}

export const writeSbom = (file: string): void => writeFileSync(file, sbom());
