import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Burst } from './bursts.ts';

/** A copy of the source, broken on purpose, to see whether the checker detects it. */
export interface Broken extends AsyncDisposable {
  readonly root: string;
}

export interface Breakage {
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string | RegExp; readonly to: string }[];
  /** The concurrent calls that show it. */
  readonly burst: Burst;
  /** What their report must mention. */
  readonly caughtBy: RegExp;
  /** The invariant that changes of status under load must violate. */
  readonly underLoad?: RegExp;
}

export const BREAKAGES: readonly Breakage[] = [
  {
    name: 'no outbox: a change of status writes no event',
    edits: [
      {
        file: 'db/writes/record-event.ts',
        from: "  await send(trx, [{ ...named('record-event'",
        to: "  if (event.type === 'quote.status_changed') return;\n  await send(trx, [{ ...named('record-event'",
      },
    ],
    burst: 'moves',
    caughtBy: /events of moves/,
    underLoad: /I6/,
  },
  {
    name: 'numbers by max + 1',
    edits: [
      {
        file: 'api/quotes/load-create-context.ts',
        from: /update quote_counters[^`]*?returning last_number/,
        to: 'select coalesce(max(q.quote_number), 0) + 1 as last_number from quotes q, context where q.tenant_id = context.tenant_id',
      },
    ],
    burst: 'creates',
    caughtBy: /concurrent creates|numbers/,
  },
  {
    name: 'no lock on accept',
    edits: [
      { file: 'api/portal/accept.ts', from: '{ lock: true }', to: '{ lock: false }' },
      { file: 'api/portal/accept.ts', from: 'return runExclusive(token, async () => {', to: 'return (async () => {' },
      {
        file: 'api/portal/accept.ts',
        from: /\n  \}\);\n\}\n\n\/\*\* The result of an earlier, equal acceptance/,
        to: '\n  })();\n}\n\n/** The result of an earlier, equal acceptance',
      },
      { file: 'db/writes/change-quote-status.ts', from: '.forUpdate()', to: '' },
      { file: 'db/writes/change-quote-status.ts', from: '  assertCanMove(actor.movesQuotesAs, from, to);\n', to: '' },
    ],
    burst: 'accepts',
    caughtBy: /accepts|signatures/,
  },
  {
    name: 'no dedupe: an Idempotency-Key is read and forgotten',
    edits: [
      {
        file: 'api/idempotency.ts',
        from: 'const stored = await claim(trx, request);\n      // The scope',
        to: 'if (Date.now() > 0) return effect(trx);\n      const stored = await claim(trx, request);\n      // The scope',
      },
    ],
    burst: 'creates with one key',
    caughtBy: /one key|quotes of one key/,
  },
];

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = [
  'activities',
  'adapters',
  'api',
  'db',
  'domain',
  'ops',
  'console',
  'portal',
  'worker',
  'workflows',
  'package.json',
  'tsconfig.json',
];

/** Copies the source and applies the edits. Throws when an edit's text is no longer found. */
export async function brokenCopy({ name, edits }: Breakage): Promise<Broken> {
  const root = await mkdtemp(join(tmpdir(), 'quoting-broken-'));
  for (const folder of FOLDERS) await cp(join(ROOT, folder), join(root, folder), { recursive: true });
  for (const name of ['node_modules', 'docs']) await symlink(join(ROOT, name), join(root, name));
  for (const { file, from, to } of edits) {
    const path = join(root, file);
    const source = await readFile(path, 'utf8');
    const changed = source.replace(from, () => to);
    if (changed === source) throw new Error(`${name}: ${file} has nothing to change any more`);
    await writeFile(path, changed);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
