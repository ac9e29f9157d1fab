import { createClient, type QuotingClient } from '@quoting/client';
import type {
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
} from 'n8n-workflow';

export const CREDENTIAL = 'quotingApi';

type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** The client, with requests through n8n, which adds the credential and knows the proxy. */
export async function clientOf(context: Context): Promise<QuotingClient> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>(CREDENTIAL);
  return createClient({ baseUrl: baseUrl.replace(/\/+$/, ''), fetch: (request) => send(context, request) });
}

async function send(context: Context, request: Request): Promise<Response> {
  const body = await request.text();
  // n8n declares `any`; with returnFullResponse it is this.
  const answer = (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
    method: request.method as IHttpRequestMethods, // the client sends no other methods
    url: request.url,
    headers: Object.fromEntries(request.headers),
    ...(body !== '' && { body }),
    encoding: 'text',
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as IN8nHttpFullResponse;
  const headers = Object.entries(answer.headers).filter(([, value]) => typeof value === 'string') as [string, string][];
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  return new Response(answer.statusCode === 204 ? null : text, { status: answer.statusCode, headers });
}
