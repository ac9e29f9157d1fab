import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { readBody } from '../../api/codec/read-body.ts';
import { invalidInput } from '../../domain/errors.ts';
import { bodyTooLarge } from '../../domain/request-refusals.ts';
import { showPage } from '../pages/frame.ts';
import { createCalls, plainHeaders } from './calls.ts';
import { namesPage, sinkPage } from './page.ts';

/** Longer than any of our deadlines for endpoints. */
const MAX_DELAY_MS = 30_000;
const MAX_BYTES = 1024 * 1024;

/**
 * /dev/sink/:name, an endpoint for webhooks of the embedded stack: stores received calls and shows them, as a page or
 * as JSON. It has no access control, so only `dev/api.ts`, which listens on loopback, serves it.
 */
export function sinkRoutes(router: Router): void {
  const calls = createCalls();
  const nameOf = (ctx: Context) => String(ctx['params'].name);

  router.get('/dev/sink', (ctx) => {
    if (ctx.accepts('json', 'html') === 'html') return showPage(ctx, namesPage(calls.names()));
    ctx.body = { names: calls.names() };
  });
  router.get('/dev/sink/:name', (ctx) => {
    const sink = calls.read(nameOf(ctx));
    if (ctx.accepts('json', 'html') === 'html') return showPage(ctx, sinkPage(sink));
    ctx.body = sink;
  });

  router.post('/dev/sink/:name', async (ctx) => {
    const status = inRange(ctx.query['status'], { name: 'status', from: 200, to: 599, fallback: 200 });
    const delayMs = inRange(ctx.query['delay'], { name: 'delay', from: 0, to: MAX_DELAY_MS, fallback: 0 });
    const body = await textOf(ctx);
    const { method, search: query } = ctx;
    calls.add(nameOf(ctx), {
      at: new Date().toISOString(),
      method,
      query,
      headers: plainHeaders(ctx.headers),
      body,
      status,
    });
    await sleep(delayMs);
    ctx.status = status;
    ctx.body = { received: true };
  });

  // Programs send the secret as JSON, the page by its form.
  router.put('/dev/sink/:name', async (ctx) => {
    calls.tellSecret(nameOf(ctx), secretOf(jsonMember(await textOf(ctx), 'secret')));
    ctx.body = { ok: true };
  });
  router.post('/dev/sink/:name/secret', async (ctx) => {
    calls.tellSecret(nameOf(ctx), secretOf(new URLSearchParams(await textOf(ctx)).get('secret')));
    ctx.status = 303;
    ctx.redirect(`/dev/sink/${encodeURIComponent(nameOf(ctx))}`);
  });
  router.delete('/dev/sink/:name', (ctx) => {
    calls.empty(nameOf(ctx));
    ctx.body = { ok: true };
  });
}

function inRange(
  given: string | string[] | undefined,
  { name, from, to, fallback }: { name: string; from: number; to: number; fallback: number },
): number {
  if (given === undefined) return fallback;
  const value = Number(given);
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw invalidInput([{ path: name, message: `debe ser un entero de ${from} a ${to}` }]);
}

function jsonMember(text: string, member: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? Object.getOwnPropertyDescriptor(body, member)?.value : undefined;
  } catch {
    return undefined;
  }
}

function secretOf(secret: unknown): string {
  if (typeof secret === 'string' && secret.startsWith('whsec_')) return secret.trim();
  throw invalidInput([{ path: 'secret', message: 'debe comenzar con whsec_' }]);
}

async function textOf({ req }: Context): Promise<string> {
  const text = await readBody(req, MAX_BYTES);
  if (text === undefined) throw bodyTooLarge();
  return text;
}
