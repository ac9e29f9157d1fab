import type { AddressInfo } from 'node:net';
import { readApiConfig } from '../../adapters/config.ts';
import { type AddPages, apiRoutes, createApp } from '../../api/app.ts';
import { compose } from '../../api/compose.ts';
import { createHttpServer } from '../../api/http-server.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { addDevPages } from '../../dev/pages/add-dev-pages.ts';
import { closeAfterTests, testStack } from '../stack.ts';
import { type Conformance, createConformance, type OpenApi } from './conformance.ts';
import { assertDocumentedEvents } from './event-bodies.ts';
import { send } from './send.ts';

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- each test asserts the shape it expects
  readonly bytes: Buffer;
}

/** A caller's credential, as headers. */
export type Credential = Readonly<Record<string, string>>;

/**
 * The API over real HTTP, in this process, with the shared servers. Its responses are checked against its OpenAPI
 * document.
 */
export interface Service {
  readonly url: string;
  readonly deps: ReturnType<typeof compose>['deps'];
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  get(path: string, as?: Credential): Promise<Response>;
  post(path: string, body?: unknown, as?: Credential): Promise<Response>;
  patch(path: string, body?: unknown, as?: Credential): Promise<Response>;
}

export interface RequestOptions {
  readonly headers?: Credential;
  /** JSON; a string or a form is sent unchanged. */
  readonly body?: unknown;
}

// Webhooks of any business could have received them.
closeAfterTests(async () => assertDocumentedEvents((await testStack()).env));

let starting: Promise<Service> | undefined;

/** The shared in-process API of a test run; it is closed after the last test. */
export const service = (): Promise<Service> => (starting ??= ownService({}));

/**
 * Another API with other settings on the same servers; it is closed after the last test too. `changed` can replace
 * dependencies.
 */
export async function ownService(
  settings: Record<string, string>,
  changed: (deps: Service['deps']) => Service['deps'] = (deps) => deps,
  addPages?: AddPages,
): Promise<Service> {
  const { env } = await testStack();
  const composed = compose(readApiConfig({ ...env, SIGNUP_PLAN: 'PRO', ...settings }));
  const { close } = composed;
  const deps = changed(composed.deps);
  const handle = createApp(deps, addPages).callback();
  const server = createHttpServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closeAfterTests(async () => {
    server.closeAllConnections();
    server.close();
    await close();
  });
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  conforming ??= conformanceOf(deps);
  return { ...httpClient(`http://127.0.0.1:${port}`, conforming), deps };
}

/** Shared by all services of this process: settings change no schema. */
let conforming: Conformance | undefined;

// The document has the type object; createConformance declares the parts that it reads.
const conformanceOf = (deps: Service['deps']) =>
  createConformance(openApiDocument(apiRoutes(deps), deps.config.PUBLIC_URL) as OpenApi);

/** The API as `npm start` runs it: in the embedded profile, with the pages for development. */
export const devService = (settings: Record<string, string> = {}): Promise<Service> =>
  ownService({ PROFILE: 'embedded', ...settings }, undefined, addDevPages);

/** Requests against any running API. */
export function httpClient(url: string, conforms: Conformance = () => undefined): Omit<Service, 'deps'> {
  async function request(method: string, path: string, { headers = {}, body }: RequestOptions = {}): Promise<Response> {
    const isForm = body instanceof FormData;
    const { bytes, ...response } = await send(url + path, {
      method,
      headers: { ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined || isForm || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    const parsed: unknown = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
    if (parsed !== undefined && !isProblem && !path.endsWith('/openapi.json')) {
      conforms({ method, path, status: response.status, body: parsed });
    }
    return { ...response, body: parsed, bytes };
  }
  return {
    url,
    request,
    get: (path, as = {}) => request('GET', path, { headers: as }),
    post: (path, body, as = {}) => request('POST', path, { headers: as, ...(body === undefined ? {} : { body }) }),
    patch: (path, body, as = {}) => request('PATCH', path, { headers: as, body }),
  };
}
