import { text } from 'node:stream/consumers';
import { buildDocumentation } from './build.ts';

// The child process of `site.ts`: builds into the folder that its argument names, from the OpenAPI document on its input.
await buildDocumentation(await text(process.stdin), process.argv[2] ?? '');
