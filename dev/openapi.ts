import { writeFileSync } from 'node:fs';
import { integratorDocument } from '../api/openapi/document.ts';
import { documentedRoutes } from './documented-routes.ts';

// `npm run openapi`: writes the OpenAPI document for the typed client.
const document = integratorDocument(await documentedRoutes(), 'http://127.0.0.1:3000');
const target = new URL('../packages/client/openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(document, null, 2)}\n`);
