import type { Route } from '../route.ts';

/**
 * OpenAPI Link Objects: a POST with a 201 response and an `id` links to every operation on that record, such as
 * /api/quotes/{id}/pdf.
 */
export function linksFrom(route: Route, routes: readonly Route[]): Readonly<Record<string, object>> {
  if (route.method !== 'POST' || !namesId(route.responses[201]?.schema)) return {};
  const record = `${route.path.replace(/\/:id\/.*/, '')}/:id`;
  const targets = routes.filter(({ path }) => path === record || path.startsWith(`${record}/`));
  return Object.fromEntries(
    targets.map(({ operationId }) => [operationId, { operationId, parameters: { id: '$response.body#/id' } }]),
  );
}

const namesId = (schema: object | undefined): boolean =>
  schema !== undefined && 'properties' in schema && 'id' in (schema.properties as object);
