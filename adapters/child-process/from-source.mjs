// Starts a child process from TypeScript: its argument is the module. Plain JavaScript, because it runs before the loader;
// the build does not need it.
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2]);
