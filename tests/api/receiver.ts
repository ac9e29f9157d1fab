import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problemOfBody } from './event-bodies.ts';

/** A received call. */
export interface Call {
  /** The time of its completion, by performance.now(). */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly Call[];
}

/**
 * An endpoint on loopback that records calls and responds as configured, by default 200 "ok". Closing it fails if the body
 * of an event did not match the OpenAPI document.
 */
export async function receiver(
  response: (res: ServerResponse, call: Call) => void = (res) => res.end('ok'),
): Promise<Receiver> {
  const calls: Call[] = [];
  const problems: string[] = [];
  const server = createServer((req, res) => {
    void bodyOf(req).then((body) => {
      const call = { at: performance.now(), method: req.method ?? '', path: req.url ?? '', headers: req.headers, body };
      calls.push(call);
      const problem = problemOfBody(String(call.headers['x-service-event']), body);
      if (problem !== undefined) problems.push(problem);
      response(res, call);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/aviso`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      assert.deepEqual(problems, []);
    },
  };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
