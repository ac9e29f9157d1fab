import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waysOut } from './ways-out.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['api', 'activities', 'worker', 'ops', 'adapters', 'db', 'domain', 'workflows', 'portal'];
const DOOR = join('adapters', 'outbound-http');
/** A separate program beside the service: it calls its own machine, at the address that the service wrote down. */
const HEALTH_CHECK = join('adapters', 'health-check.ts');

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name))
    // Scripts of pages run in the reader's browser, not here.
    .filter((name) => !(folder === 'portal' && name.startsWith('assets')))
    .filter((name) => !(folder === 'api' && name.startsWith(join('docs', 'assets'))))
    .map((name) => join(folder, name)),
);
const waysOutOf = (name: string) => waysOut(readFileSync(join(ROOT, name), 'utf8')).map((way) => `${name}: ${way}`);

describe('outbound HTTP client', () => {
  it('only the outbound client makes calls: no other file of the service does', () => {
    const others = sources.filter((name) => !name.startsWith(DOOR) && name !== HEALTH_CHECK);

    assert.ok(others.length > 50, 'the sources were not found');
    assert.deepEqual(others.flatMap(waysOutOf), []);
  });

  it('this search finds the outbound client itself', () => {
    assert.ok(sources.filter((name) => name.startsWith(DOOR)).flatMap(waysOutOf).length > 0);
  });

  for (const line of [
    'await fetch(url)',
    'const call = fetch; call(url)',
    'const call = { fetch }',
    'globalThis.fetch(url)',
    "globalThis['fetch'](url)",
    'const { fetch: call } = globalThis',
    "import { request } from 'node:https';",
    "import { get as read } from 'http';",
    "import http from 'node:http';",
    "import * as http from 'node:http';",
    "export * from 'node:http';",
    "export { request } from 'node:http';",
    "const http = require('http')",
    "const { request } = await import('node:https')",
    "const http = process.getBuiltinModule('node:http')",
    "import { connect } from 'node:http2';",
    "import { createSocket } from 'node:dgram';",
    "import { connect } from 'node:tls';",
    "import { Socket } from 'net';",
    "import net from 'node:net';",
    "import { Agent } from 'undici';",
    "import { request } from 'undici/index.js';",
    "import axios from 'axios';",
    "import got from 'got';",
    "await import('node-fetch')",
    'new WebSocket(url)',
    'new EventSource(url)',
    'new XMLHttpRequest()',
    "spawn('curl', [url])",
  ]) {
    it(`this search finds ${line}`, () => {
      assert.notDeepEqual(waysOut(line), []);
    });
  }

  for (const line of [
    "import { createServer } from 'node:http';",
    "import type { IncomingHttpHeaders } from 'node:http';",
    "import { type Socket, isIP } from 'node:net';",
    "const fetched = table.fetchGraph('items') // fetch, http.request and undici in a comment",
    "const words = 'fetch this over http';",
  ]) {
    it(`this search ignores ${line}`, () => {
      assert.deepEqual(waysOut(line), []);
    });
  }
});
