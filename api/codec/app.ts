import type { PayloadCodec } from '@temporalio/common';
import Koa, { type Context } from 'koa';
import type { Log } from '../../adapters/log.ts';
import { PayloadUnreadable } from '../../adapters/temporal/payload-codec.ts';
import { loginPage } from './page.ts';
import { jsonOf, payloadsOf } from './payload-json.ts';
import { readBody } from './read-body.ts';
import { COOKIE, type CodecSessions } from './session.ts';

/** Fits a page of a history in base64. One payload may have 2 MB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * The codec server decrypts payloads for the Temporal UI in the operator's browser
 * (https://docs.temporal.io/production-deployment/data-encryption). Only the UI's origin may call it across origins.
 * Each call needs the token, as Bearer (the CLI's `--codec-auth`) or as the cookie of the sign-in page.
 */
export interface CodecDeps {
  readonly codec: PayloadCodec;
  readonly sessions: CodecSessions;
  /** Origin of the Temporal UI. */
  readonly uiOrigin: string;
  /** Whether browsers use https; only then can the cookie be sent from the UI's site. */
  readonly secure: boolean;
  readonly log: Log;
}

const headers = ({ uiOrigin }: CodecDeps) => ({
  'Cache-Control': 'no-store',
  // The sign-in redirects to the UI, and browsers apply form-action to redirects.
  'Content-Security-Policy': `default-src 'none'; form-action 'self' ${uiOrigin}; frame-ancestors 'none'; base-uri 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});

export function createCodecApp(deps: CodecDeps): Koa {
  const app = new Koa();
  app.silent = true;
  app.on('error', (error: unknown) => deps.log.error({ err: error }, 'the codec server failed'));
  app.use(async (ctx) => {
    ctx.set(headers(deps));
    await handle(deps, ctx);
  });
  return app;
}

async function handle(deps: CodecDeps, ctx: Context): Promise<void> {
  const { method, path } = ctx;
  if (method === 'GET' && path === '/healthz') ctx.body = { ok: true };
  else if (method === 'GET' && path === '/') ctx.body = loginPage();
  else if (method === 'POST' && path === '/login') await signIn(deps, ctx);
  else if (path === '/decode' || path === '/encode') await convert(deps, ctx, path);
  else refuse(ctx, 404, 'Ruta no encontrada');
}

async function signIn({ sessions, secure, uiOrigin }: CodecDeps, ctx: Context): Promise<void> {
  // Refuse forms of other sites. Under no-referrer browsers send `Origin: null` for the own page.
  if (!['same-origin', 'none', ''].includes(ctx.get('Sec-Fetch-Site'))) return refuse(ctx, 403, 'Origen no permitido');
  const token = new URLSearchParams(await readBody(ctx.req, MAX_BODY_BYTES)).get('token') ?? '';
  if (!sessions.isToken(token)) {
    ctx.status = 401;
    ctx.body = loginPage('No es la clave.');
    return;
  }
  const { value, lastsS } = sessions.create();
  const site = secure ? 'SameSite=None; Secure' : 'SameSite=Lax';
  ctx.set('Set-Cookie', `${COOKIE}=${value}; Max-Age=${lastsS}; Path=/; HttpOnly; ${site}`);
  ctx.redirect(uiOrigin);
  ctx.status = 303;
}

async function convert({ codec, sessions, uiOrigin }: CodecDeps, ctx: Context, path: '/decode' | '/encode') {
  const origin = ctx.get('Origin');
  ctx.vary('Origin');
  if (origin && origin !== uiOrigin) return refuse(ctx, 403, 'Origen no permitido');
  if (origin) ctx.set({ 'Access-Control-Allow-Origin': uiOrigin, 'Access-Control-Allow-Credentials': 'true' });
  if (ctx.method === 'OPTIONS') {
    ctx.set({
      'Access-Control-Allow-Methods': 'POST',
      // All headers that the UI sends; with an unlisted one the preflight fails.
      'Access-Control-Allow-Headers':
        'authorization, authorization-extras, content-type, x-namespace, x-csrf-token, caller-type',
      'Access-Control-Max-Age': '600',
    });
    ctx.status = 204;
    return;
  }
  if (ctx.method !== 'POST') return refuse(ctx, 405, 'Método no permitido');
  const [, bearer] = /^Bearer (.+)$/i.exec(ctx.get('Authorization')) ?? [];
  const isAllowed = (bearer && sessions.isToken(bearer)) || sessions.isValid(ctx.cookies.get(COOKIE) ?? '');
  if (!isAllowed) return refuse(ctx, 401, 'No autorizado');
  // A form cannot send this type, so pages of other origins need a preflight.
  if (!ctx.is('application/json')) return refuse(ctx, 415, 'Tipo de contenido no admitido');

  const body = await readBody(ctx.req, MAX_BODY_BYTES);
  if (body === undefined) return refuse(ctx, 413, 'Solicitud demasiado grande');
  const payloads = payloadsOf(body);
  if (!payloads) return refuse(ctx, 400, 'JSON inválido');
  try {
    ctx.body = jsonOf(path === '/decode' ? await codec.decode(payloads) : await codec.encode(payloads));
  } catch (error) {
    if (!(error instanceof PayloadUnreadable)) throw error;
    refuse(ctx, 400, 'No se puede descifrar: falta la llave, o se cambió');
  }
}

function refuse(ctx: Context, status: number, error: string): void {
  ctx.status = status;
  ctx.body = { error };
  // The unread rest of the body would be parsed as the next request.
  if (status === 413) ctx.set('Connection', 'close');
}
