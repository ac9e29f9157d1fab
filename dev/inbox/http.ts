import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { messageOf } from '../problem.ts';
import { listPage, messagePage } from './page.ts';
import { type Mode, MODES } from './smtp.ts';
import type { MailStore } from './store.ts';

/** The inbox over HTTP: its pages, and REST for programs. */

export interface InboxHttpDeps {
  readonly store: MailStore;
  readonly getMode: () => Mode;
  readonly setMode: (mode: Mode) => void;
}

interface Answer {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'";

// HTML of a mail runs no script, loads nothing from outside and is shown in the page's frame only.
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; " +
  "base-uri 'self'; form-action 'none'; frame-ancestors 'self'";

// A PDF viewer brings scripts of its own, so a sandbox would leave the frame empty.
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";

export function createInboxHttp(deps: InboxHttpDeps): http.Server {
  return http.createServer((request, response) => {
    answerTo(deps, request)
      .catch((error: unknown) => json({ error: messageOf(error) }, 500))
      .then((answer) => send(response, request, answer))
      .catch(() => response.destroy());
  });
}

async function answerTo(deps: InboxHttpDeps, request: IncomingMessage): Promise<Answer> {
  // A page elsewhere may let its own name point to this machine: then the name is not one of ours.
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(request.headers.host ?? '')) {
    return json({ error: 'unknown host' }, 421);
  }
  const url = new URL(request.url ?? '/', 'http://inbox');
  const [root = '', collection = '', id, part, index] = url.pathname.split('/').slice(1);
  const method = request.method === 'HEAD' ? 'GET' : request.method;

  if (root !== 'api') return method === 'GET' ? pageAnswer(deps.store, url) : notFound();
  if (collection === 'mode') return modeAnswer(deps, request);
  if (collection !== 'messages') return notFound();
  if (id === undefined) {
    if (method === 'DELETE') return deps.store.clear().then(() => ({ status: 204, type: 'text/plain', body: '' }));
    return method === 'GET' ? json(await deps.store.list()) : json({ error: 'method not allowed' }, 405);
  }
  if (method !== 'GET') return json({ error: 'method not allowed' }, 405);
  return messageAnswer(deps.store, id, part, index, url.searchParams.has('download'));
}

async function messageAnswer(
  store: MailStore,
  id: string,
  part: string | undefined,
  index: string | undefined,
  download: boolean,
): Promise<Answer> {
  switch (part) {
    case undefined: {
      const message = await store.get(id);
      return message ? json(message) : notFound();
    }
    case 'source': {
      const source = await store.source(id);
      return source ? { type: 'text/plain; charset=utf-8', body: source } : notFound();
    }
    case 'html': {
      const html = (await store.get(id))?.html;
      if (html === undefined || html === null) return notFound();
      // Links leave the frame.
      const body = `<!doctype html><meta charset="utf-8"><base target="_blank">${html}`;
      return { type: 'text/html; charset=utf-8', body, headers: { 'content-security-policy': MAIL_POLICY } };
    }
    case 'attachments': {
      const file = /^\d{1,4}$/.test(index ?? '') ? await store.attachment(id, Number(index)) : undefined;
      if (!file) return notFound();
      const inline = !download && file.contentType === 'application/pdf';
      const disposition = `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.filename)}`;
      const headers = { 'content-disposition': disposition, 'content-security-policy': FILE_POLICY };
      return { type: file.contentType, body: file.content, headers };
    }
    default:
      return notFound();
  }
}

async function modeAnswer(deps: InboxHttpDeps, request: IncomingMessage): Promise<Answer> {
  if (request.method === 'PUT') {
    let body = '';
    for await (const chunk of request) body = (body + String(chunk)).slice(0, 1_000);
    const wanted = MODES.find((mode) => body.includes(`"${mode}"`));
    if (!wanted) return json({ error: `mode must be one of ${MODES.join(', ')}` }, 400);
    deps.setMode(wanted);
  }
  return json({ mode: deps.getMode() });
}

async function pageAnswer(store: MailStore, { pathname, searchParams }: URL): Promise<Answer> {
  const headers = { 'content-security-policy': PAGE_POLICY };
  const page = (body: string): Answer => ({ type: 'text/html; charset=utf-8', body, headers });
  if (pathname === '/') return page(listPage(await store.list(), searchParams.get('q') ?? ''));
  const message = pathname.startsWith('/messages/') && (await store.get(pathname.slice('/messages/'.length)));
  return message ? page(messagePage(message)) : notFound();
}

const json = (value: unknown, status = 200): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});
const notFound = () => json({ error: 'not found' }, 404);

function send(response: ServerResponse, request: IncomingMessage, answer: Answer): void {
  response.writeHead(answer.status ?? 200, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...answer.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
