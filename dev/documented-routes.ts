import { randomBytes } from 'node:crypto';
import { readApiConfig } from '../adapters/config.ts';
import { apiRoutes } from '../api/app.ts';
import { compose } from '../api/compose.ts';
import type { Route } from '../api/route.ts';

// The routes are read, not called, so every address here is a placeholder.
const NOWHERE = '127.0.0.1:1';

/** All routes of the API, without a database or other services, for its OpenAPI documents. */
export async function documentedRoutes(): Promise<readonly Route[]> {
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
  const routes = apiRoutes(deps);
  await close();
  return routes;
}
