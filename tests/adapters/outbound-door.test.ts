import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['api', 'activities', 'adapters', 'db', 'domain', 'workflows', 'portal'];
const DOOR = join('adapters', 'outbound-http');

/** Ways to the network that would go around the guard. Servers are no calls; vendors' clients go to our own parts. */
const WAYS_OUT: readonly RegExp[] = [
  /(?<![\w.])fetch\s*\(/,
  /\bglobalThis\.fetch\b/,
  /from '(undici|axios|got|node-fetch|superagent)'/,
  /\bhttps?\.(request|get)\s*\(/,
  /import\s*\{[^}]*\b(request|get)\b[^}]*\}\s*from '(node:)?https?'/,
  /from '(node:)?(http2|dgram)'/,
  /\b(net|tls)\.(connect|createConnection)\s*\(/,
  /import\s*\{[^}]*\b(connect|createConnection)\b[^}]*\}\s*from '(node:)?(net|tls)'/,
  /\bnew (WebSocket|EventSource|XMLHttpRequest)\s*\(/,
];

const hasWayOut = (source: string): boolean => WAYS_OUT.some((way) => way.test(source));

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

describe('the door to addresses that users give', () => {
  it('is the only one: no other file of the service calls out by itself', () => {
    const others = sources.filter((name) => !name.startsWith(DOOR));

    assert.ok(others.length > 50, 'the sources were not found');
    assert.deepEqual(
      others.filter((name) => hasWayOut(readFileSync(join(ROOT, name), 'utf8'))),
      [],
    );
  });

  it('is seen by this very search', () => {
    assert.ok(sources.some((name) => name.startsWith(DOOR) && hasWayOut(readFileSync(join(ROOT, name), 'utf8'))));
  });

  for (const line of [
    'await fetch(url)',
    "import { request } from 'node:https';",
    'http.request(options)',
    "import { Agent } from 'undici';",
    "import { connect } from 'node:tls';",
    'net.connect(80)',
  ]) {
    it(`would find ${line}`, () => {
      assert.ok(hasWayOut(line));
    });
  }
});
