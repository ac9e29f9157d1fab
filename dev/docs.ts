import path from 'node:path';
import { buildDocumentation } from '../api/docs/build/build.ts';
import { referenceDocument } from '../api/docs/reference-document.ts';
import { documentedRoutes } from './documented-routes.ts';

// `npm run docs:build`: renders the documentation next to the compiled code, or into the folder that the argument names.
await buildDocumentation(referenceDocument(await documentedRoutes()), path.resolve(process.argv[2] ?? 'dist/site'));
