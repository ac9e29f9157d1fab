import { integratorDocument, openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';

/**
 * What the reference shows: all operations, with the introduction for integrations. It names no address of the
 * installation, so that one build serves all.
 */
export function referenceDocument(routes: readonly Route[]): string {
  const { info } = integratorDocument(routes, 'http://127.0.0.1') as { readonly info: object };
  return JSON.stringify({ ...openApiDocument(routes, 'http://127.0.0.1'), info, servers: [] });
}
