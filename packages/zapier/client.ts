import { createClient, type QuotingClient, QuotingError } from '@quoting/client';
import type { Bundle, HttpMethod, ZObject } from 'zapier-platform-core';

/**
 * The client, with requests through Zapier, which logs them. No retries: a step may take 30 seconds, and Zapier repeats
 * one that was throttled.
 */
export const clientOf = (z: ZObject, { authData }: Pick<Bundle, 'authData'>): QuotingClient =>
  createClient({
    baseUrl: (authData['baseUrl'] ?? '').replace(/\/+$/, ''),
    apiKey: authData['apiKey'] ?? '',
    retries: 0,
    fetch: (request) => send(z, request),
  });

async function send(z: ZObject, request: Request): Promise<Response> {
  const body = await request.text();
  const { status, content, headers } = await z.request({
    method: request.method as HttpMethod, // the client sends no other methods
    url: request.url,
    headers: Object.fromEntries(request.headers),
    ...(body !== '' && { body }),
    skipThrowForStatus: true,
  });
  return new Response(status === 204 ? null : content, { status, headers: [...headers.entries()] });
}

/** The result of a request; its refusal as an error that Zapier shows to the user. */
export async function resultOf<T>(z: ZObject, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof QuotingError)) throw error;
    const { status, code, message, requestId } = error;
    if (status === 401) throw new z.errors.ExpiredAuthError(message);
    if (status === 429) throw new z.errors.ThrottledError(message);
    throw new z.errors.Error(`${message} (request ${requestId})`, code, status);
  }
}
