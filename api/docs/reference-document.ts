import { integratorDocument, openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { type OpenApi, operationsOf } from './build/reference/openapi.ts';

/**
 * What the reference shows: all operations, with the introduction and the responses for integrations. It names no address
 * of the installation, so that one build serves all.
 */
export function referenceDocument(routes: readonly Route[]): string {
  // The documents have the type object; the reference reads the parts that OpenApi declares.
  const forKeys = integratorDocument(routes, 'http://127.0.0.1') as OpenApi;
  const all = openApiDocument(routes, 'http://127.0.0.1') as OpenApi;
  const responses = new Map(operationsOf(forKeys).map((each) => [each.operationId, each.responses]));
  const paths = Object.fromEntries(
    Object.entries(all.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => {
          const own = responses.get(operation.operationId);
          return [method, own ? { ...operation, responses: own } : operation];
        }),
      ),
    ]),
  );
  return JSON.stringify({ ...all, paths, info: forKeys.info, servers: [] });
}
