// Starts the rendering thread from TypeScript: a thread does not inherit the loader of `--import tsx`.
// Plain JavaScript, since it runs before that loader; the build does not need it.
import { register } from 'tsx/esm/api';

register();
await import('./thread.ts');
