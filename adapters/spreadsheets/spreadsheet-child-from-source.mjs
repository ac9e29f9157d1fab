// Starts the process from TypeScript. Plain JavaScript, because it runs before the loader; the build does not
// need it.
import { register } from 'tsx/esm/api';

register();
await import('./spreadsheet-child.ts');
