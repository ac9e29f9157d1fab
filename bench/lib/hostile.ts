/**
 * Requests made to be dear to refuse: every operation of the OpenAPI document and every page, with bodies that are as large
 * as the route takes, and with long queries and headers. The test of the routes and the bench row send the same.
 */

const MIB = 1024 * 1024;
const URL_BYTES = 8 * 1024;

export interface HostileRoute {
  readonly name: string;
  readonly method: string;
  /** With ids that no record has. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly form: 'json' | 'multipart' | 'urlencoded' | 'none';
  readonly maxBytes: number;
  /** A good body. */
  readonly example?: unknown;
}

export interface HostileRequest {
  readonly what: string;
  readonly route: HostileRoute;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface Operation {
  readonly security: readonly unknown[];
  readonly requestBody?: {
    readonly 'x-max-bytes': number;
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Pages beside the API that have parameters or take forms. */
const PAGES: readonly [method: string, path: string, maxBytes?: number][] = [
  ['GET', '/p/{token}'],
  ['GET', '/p/{token}/pdf'],
  ['GET', '/p/{token}/attachments/{attachmentId}'],
  ['GET', '/p/{token}/logo'],
  ['GET', '/p/{token}/accept'],
  ['GET', '/p/{token}/reject'],
  ['GET', '/p/{token}/totals'],
  ['GET', '/p/{token}/request-changes'],
  ['GET', '/p/{token}/stop-reminders'],
  ['GET', '/p/assets/{version}/{file}'],
  ['POST', '/p/{token}/accept', MIB],
  ['POST', '/p/{token}/reject', 64 * 1024],
  ['POST', '/p/{token}/totals', MIB],
  ['POST', '/p/{token}/request-changes', 64 * 1024],
  ['POST', '/p/{token}/stop-reminders', 1024],
  ['GET', '/console/assets/{version}/{file}'],
  // All forms of the console are read by the same code: with a session, and without.
  ['POST', '/login', 2 * MIB],
  ['POST', '/app/clients/new', 2 * MIB],
  ['GET', '/app/{path}'],
  ['GET', '/api/openapi.json'],
  ['GET', '/docs'],
  ['GET', '/healthz'],
];

const withoutRecords = (path: string): string =>
  path.replaceAll(/\{\w+\}/g, (name) => (name === '{token}' ? 'A'.repeat(43) : `c${'0'.repeat(24)}`));

/** Names are looked up before an address of a webhook is kept: that would measure the resolver. */
const withoutNames = (example: unknown): unknown =>
  example === undefined
    ? undefined
    : JSON.parse(JSON.stringify(example).replaceAll(/https?:\/\/[^"/]+/g, 'http://127.0.0.1:9'));

/** Every route of the document, signing out last: it ends the session that the others are called with. */
export function routesOf({ paths }: Document): readonly HostileRoute[] {
  const api = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security, requestBody }]): HostileRoute => {
      const json = requestBody?.content['application/json'];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: withoutRecords(path),
        isPublic: security.length === 0,
        form: json ? 'json' : requestBody ? 'multipart' : 'none',
        maxBytes: requestBody?.['x-max-bytes'] ?? MIB,
        example: withoutNames(json?.example),
      };
    }),
  );
  const pages = PAGES.map(([method, path, maxBytes]): HostileRoute => {
    const form = maxBytes === undefined ? 'none' : 'urlencoded';
    const name = `${method} ${path}`;
    return { name, method, path: withoutRecords(path), isPublic: true, form, maxBytes: maxBytes ?? MIB };
  });
  const isSignOut = ({ path }: HostileRoute) => path.endsWith('/signout');
  return [...pages, ...api].sort((a, b) => Number(isSignOut(a)) - Number(isSignOut(b)));
}

/** Texts in JSON of about so many bytes. */
const VALUES: Readonly<Record<string, (bytes: number) => string>> = {
  'combining marks of two classes': (bytes) => JSON.stringify(marks(bytes)),
  'a list of {}': (bytes) => `[${'{},'.repeat(bytes / 3 - 2)}{}]`,
  'one long text': (bytes) => JSON.stringify('a'.repeat(bytes - 2)),
  'spaces between two letters': (bytes) => JSON.stringify(`a${' '.repeat(bytes - 4)}a`),
  'nested lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'one long key': (bytes) => `{"${'k'.repeat(bytes - 6)}":1}`,
  'many keys': (bytes) => `{${Array.from({ length: bytes / 10 }, (_, i) => `"${i}":1`).join(',')}}`,
  'an image in base64': (bytes) => JSON.stringify(`data:image/png;base64,${'iVBO'.repeat(bytes / 4 - 7)}`),
};
/** Those that are told apart by the member that they are in. */
const IN_MEMBERS = ['combining marks of two classes', 'a list of {}', 'one long text', 'spaces between two letters'];

const made = new Map<string, Buffer>();

/** One of these values. Each is made once: making them for every route takes longer than refusing them. */
function valueOf(what: string, bytes: number): Buffer {
  const key = `${what}, ${bytes}`;
  const value = made.get(key) ?? Buffer.from(VALUES[what]?.(bytes) ?? '');
  made.set(key, value);
  return value;
}

const marks = (bytes: number): string => '\u0315'.repeat(bytes / 4 - 1) + '\u0301'.repeat(bytes / 4 - 1);

/**
 * Everything for one route. Each body has its length: Node sends none with a GET, and the server would read the body as
 * the next request. `memberBytes` limits the values of single members, of which a route has many.
 */
export function* hostileRequests(route: HostileRoute, memberBytes = Infinity): Generator<HostileRequest> {
  for (const request of requestsOf(route, memberBytes)) {
    const { body, headers } = request;
    yield body ? { ...request, headers: { ...headers, 'Content-Length': String(body.length) } } : request;
  }
}

function* requestsOf(route: HostileRoute, memberBytes: number): Generator<HostileRequest> {
  const { path, maxBytes } = route;
  const json = { 'Content-Type': 'application/json' };
  for (const what of Object.keys(VALUES))
    yield { what, route, path, headers: json, body: valueOf(what, Math.min(maxBytes, MIB)) };
  if (route.form === 'json') yield* inMembers(route, memberBytes);
  yield* forms(route);
  if (route.form === 'multipart') yield* multipart(route);
  yield* heads(route);
}

/** Bytes that the good part of a body is rounded up to, so that few sizes of values are made. */
const ROOM_STEP = 512;

/** A good body with one bad member: a member of its own, one that no schema names, or one within. */
function* inMembers(route: HostileRoute, memberBytes: number): Generator<HostileRequest> {
  for (const what of IN_MEMBERS) {
    for (const { member, around } of corrupted(route.example, '"@"')) {
      const [before = '', after = ''] = around.split('"@"');
      const room = Math.ceil((before.length + after.length + 1) / ROOM_STEP) * ROOM_STEP;
      const value = valueOf(what, Math.min(route.maxBytes - room, memberBytes));
      const body = Buffer.concat([Buffer.from(before), value, Buffer.from(after)]);
      yield {
        what: `${what}, in ${member}`,
        route,
        path: route.path,
        headers: { 'Content-Type': 'application/json' },
        body,
      };
    }
  }
}

function corrupted(example: unknown, mark: string): readonly { member: string; around: string }[] {
  const found: { member: string; around: string }[] = [];
  const seek = (value: unknown, path: string, whole: (part: unknown) => unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value))
      found.push({ member: `${path}unknown`, around: JSON.stringify(whole({ ...value, unknown: JSON.parse(mark) })) });
    for (const [key, member] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined)) {
      const withPart = (part: unknown) =>
        whole(Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part });
      found.push({ member: `${path}${key}`, around: JSON.stringify(withPart(JSON.parse(mark))) });
      seek(member, `${path}${key}.`, withPart);
    }
  };
  seek(example, '', (part) => part);
  return found;
}

/** Made once: making it for every route takes longer than refusing it. */
const MANY_FIELDS = Array.from({ length: 40_000 }, (_, i) => `a${i}=1`).join('&');

function* forms(route: HostileRoute): Generator<HostileRequest> {
  const texts: Readonly<Record<string, string>> = {
    '40 000 fields': MANY_FIELDS,
    ...(route.form === 'urlencoded' && {
      'marks in each field': ['signerName', 'signerEmail', 'signatureData', 'reason', 'consent', 'version']
        .map((name) => `${name}=${marks(route.maxBytes / 6 - 32)}`)
        .join('&'),
      'nested names': `a${'[b]'.repeat(route.maxBytes / 3 - 4)}=1`,
      'escapes that are none': `reason=${'%'.repeat(route.maxBytes - 16)}`,
      'a drawing that is none': `signatureType=drawn&signatureData=${'='.repeat(route.maxBytes - 64)}`,
    }),
  };
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Sec-Fetch-Site': 'same-origin',
  };
  for (const [what, text] of Object.entries(texts))
    yield { what, route, path: route.path, headers, body: Buffer.from(text) };
}

function* multipart(route: HostileRoute): Generator<HostileRequest> {
  const part = (disposition: string) => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n\r\n`;
  const many = (text: string) => text.repeat(Math.floor((route.maxBytes - 256) / text.length));
  const texts: Readonly<Record<string, string>> = {
    'many files': many(part('name="x"; filename="a"')),
    'many fields': many(part('name="x"')),
    'a file name that has no end': part(`name="x"; ${many('filename="')}`),
    'a file name of many quotes': part(`name="x"; filename="${many('a"')}`),
    'one long header': `--b\r\n${many('a')}`,
    'marks in a file': `${part('name="logo"; filename="a"')}${marks(route.maxBytes - 256)}\r\n`,
  };
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  for (const [what, text] of Object.entries(texts))
    yield { what, route, path: route.path, headers, body: Buffer.from(`${text}--b--\r\n`) };
}

/** Queries and headers, which are read before anybody knows who calls. */
function* heads(route: HostileRoute): Generator<HostileRequest> {
  const room = URL_BYTES - route.path.length - 16;
  const queries: Readonly<Record<string, string>> = {
    'marks in a query': `search=${'%CC%95'.repeat(room / 12)}${'%CC%81'.repeat(room / 12 - 2)}`,
    'many parameters': 'a=1&'.repeat(room / 4),
    'nested parameters': `a${'[b]'.repeat(room / 3 - 1)}=1`,
  };
  for (const [what, query] of Object.entries(queries))
    yield { what, route, path: `${route.path}?${query}`, headers: {} };

  const headers: Readonly<Record<string, string>> = {
    Accept: `"${','.repeat(60_000)}`,
    'Accept-Encoding': 'a,'.repeat(30_000),
    'Content-Type': 'boundary="'.repeat(6_000),
    Cookie: 'a=1; '.repeat(12_000),
    'If-None-Match': 'W/"a",'.repeat(10_000),
    'X-Forwarded-For': '1.1.1.1,'.repeat(7_500),
    'User-Agent': 'bo'.repeat(30_000),
    Range: 'bytes=0-1,'.repeat(6_000),
  };
  for (const [name, value] of Object.entries(headers)) {
    for (const bytes of [15_000, 60_000])
      yield { what: `${bytes} bytes of ${name}`, route, path: route.path, headers: { [name]: value.slice(0, bytes) } };
  }
}

export const MIN_BOUND_MS = 100;

/** What no stretch of the main thread may be longer than, in milliseconds of its CPU. */
export function boundMs({ body }: Pick<HostileRequest, 'body'>, measure: (work: () => void) => number): number {
  if (!body) return MIN_BOUND_MS;
  const text = body.toString();
  const parsing = measure(() => {
    try {
      JSON.parse(text);
    } catch {
      // Forms are no JSON; finding that out is cheap.
    }
  });
  return Math.max(MIN_BOUND_MS, 5 * parsing);
}
