// "Hello" of five servers: node:http, Koa with its router, Express, Nest and Fastify. `node hello.mjs express`; listens on PORT.
import { createServer } from 'node:http';
import { ready } from './ready.mjs';

const BODY = { ok: true, page: 1, limit: 20 };

const servers = {
  node: async (port) => {
    const text = JSON.stringify(BODY);
    createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.end(text);
    }).listen(port, '127.0.0.1', ready);
  },
  // The service's own Koa, found above this folder.
  koa: async (port) => {
    const [{ default: Koa }, { Router }] = await Promise.all([import('koa'), import('@koa/router')]);
    const router = new Router();
    router.get('/hello', (ctx) => {
      ctx.body = BODY;
    });
    new Koa().use(router.routes()).listen(port, '127.0.0.1', ready);
  },
  express: async (port) => {
    const { default: express } = await import('express');
    const app = express();
    app.get('/hello', (request, response) => void response.json(BODY));
    app.listen(port, '127.0.0.1', ready);
  },
  fastify: async (port) => {
    const { default: fastify } = await import('fastify');
    const app = fastify();
    app.get('/hello', async () => BODY);
    await app.listen({ port, host: '127.0.0.1' });
    ready();
  },
  nest: async (port) => {
    const { start } = await import('./nest-hello.mjs');
    await start(port, BODY);
    ready();
  },
};

await servers[process.argv[2]](Number(process.env.PORT));
