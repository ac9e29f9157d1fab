import { fileURLToPath } from 'node:url';
import { writeBundle } from './workflow-bundle.ts';

// The last step of `npm run build`: the workflow code for production workers, beside the compiled code.
await writeBundle(fileURLToPath(new URL('../workflow-bundle.js', import.meta.url)));
