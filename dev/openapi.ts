import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readApiConfig } from '../adapters/config.ts';
import { apiRoutes } from '../api/app.ts';
import { compose } from '../api/compose.ts';
import { openApiDocument } from '../api/openapi/document.ts';

// `npm run openapi`: writes the API's OpenAPI document for the typed client. The routes are read, not called, so every address here is a placeholder.
const NOWHERE = '127.0.0.1:1';
const { deps, close } = compose(
  readApiConfig({
    PUBLIC_URL: 'http://127.0.0.1:3000',
    SESSION_SECRETS: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `none:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: `postgres://quoting_app@${NOWHERE}/none`,
    TEMPORAL_ADDRESS: NOWHERE,
    S3_ENDPOINT: `http://${NOWHERE}`,
    S3_ACCESS_KEY_ID: 'none',
    S3_SECRET_ACCESS_KEY: 'none',
  }),
);
const target = new URL('../packages/client/openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(openApiDocument(apiRoutes(deps), deps.config.PUBLIC_URL), null, 2)}\n`);
await close();
