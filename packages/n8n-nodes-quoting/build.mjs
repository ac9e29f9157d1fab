import { cpSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

// `npm run build`: n8n loads CommonJS, and a community node may have no dependencies, so the client is bundled.
rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: [
    'credentials/QuotingApi.credentials.ts',
    'nodes/Quoting/Quoting.node.ts',
    'nodes/QuotingTrigger/QuotingTrigger.node.ts',
  ],
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['n8n-workflow'],
  logLevel: 'warning',
});
for (const node of ['Quoting', 'QuotingTrigger']) cpSync('quoting.svg', `dist/nodes/${node}/quoting.svg`);
