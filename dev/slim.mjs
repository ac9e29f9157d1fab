import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// `npm ci` runs this after it has installed: it removes files of packages that no program here loads, 190 MB of 900.
// Plain JavaScript, because it also runs where only the manifest is present: in the first steps of the Dockerfile.

const packages = path.join(path.dirname(import.meta.dirname), 'node_modules');
const own = ownTarget();

/** Folders, and which of their entries stay. */
const NEEDED = {
  // The SDK's native code, built for five systems, and the sources that it was built from.
  '@temporalio/core-bridge/releases': (name) => name === own || own === undefined,
  '@temporalio/core-bridge/sdk-core': () => false,
  // Of five and seven weights, documents use two (adapters/pdf/font-files.ts).
  '@embedpdf/fonts-sc/fonts': (name) => /-(Regular|Bold)\./.test(name),
  '@embedpdf/fonts-kr/fonts': (name) => /-(Regular|Bold)\./.test(name),
};

for (const [folder, isNeeded] of Object.entries(NEEDED)) {
  const directory = path.join(packages, folder);
  if (!fs.existsSync(directory)) continue;
  for (const name of fs.readdirSync(directory)) {
    if (!isNeeded(name)) fs.rmSync(path.join(directory, name), { recursive: true });
  }
}

/** The SDK's name of this system, by its own loader; undefined where it has no native code for it. */
function ownTarget() {
  try {
    return createRequire(import.meta.url)('@temporalio/core-bridge/common.js').getPrebuiltTargetName();
  } catch {
    return undefined;
  }
}
