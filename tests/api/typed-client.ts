import { apiRoutes } from '../../api/app.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { createClient, type QuotingClient } from '../../packages/client/client.ts';
import * as build from './build.ts';
import { createConformance, type OpenApi } from './conformance.ts';
import { service } from './service.ts';

/** The published client with the key of an owner; its responses are checked against the document too. */
export async function typedClient(business: build.Business): Promise<QuotingClient> {
  const { url, deps } = await service();
  const { as } = await build.member(business, { role: 'OWNER' });
  // The document has the type object.
  const conforms = createConformance(openApiDocument(apiRoutes(deps), deps.config.PUBLIC_URL) as OpenApi);
  return createClient({
    baseUrl: url,
    apiKey: as['Authorization']?.replace('Bearer ', '') ?? '',
    async fetch(input, init) {
      const request = new Request(input, init);
      const response = await fetch(request);
      if (response.headers.get('content-type')?.includes('json')) {
        const body: unknown = await response.clone().json();
        conforms({ method: request.method, path: new URL(request.url).pathname, status: response.status, body });
      }
      return response;
    },
  });
}
