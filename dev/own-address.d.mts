import type { Plugin } from 'esbuild';

/** Plugin of esbuild: gives bundled TypeScript modules a fixed address, by which they find their files, threads and child processes. */
export function ownAddress(addressOf: (file: string) => string): Plugin;
