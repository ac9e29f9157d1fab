import { apiRoutes } from '../../api/app.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { createClient, type QuotingClient } from '../../packages/client/client.ts';
import * as build from './build.ts';
import { createConformance, type OpenApi } from './conformance.ts';
import { service } from './service.ts';

/** The client that callers get, with the key of an owner of that business; its answers are held to the document too. */
export async function typedClient(business: build.Business): Promise<QuotingClient> {
  const { url, deps } = await service();
  const { as } = await build.member(business, { role: 'OWNER' });
  // The document's own type says no more than "object".
  const conforms = createConformance(openApiDocument(apiRoutes(deps), deps.config.PUBLIC_URL) as OpenApi);
  return createClient({
    baseUrl: url,
    apiKey: as['Authorization']?.replace('Bearer ', '') ?? '',
    async fetch(input, init) {
      const request = new Request(input, init);
      const answer = await fetch(request);
      if (answer.headers.get('content-type')?.includes('json')) {
        const body: unknown = await answer.clone().json();
        conforms({ method: request.method, path: new URL(request.url).pathname, status: answer.status, body });
      }
      return answer;
    },
  });
}
