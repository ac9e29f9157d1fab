import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { text } from 'node:stream/consumers';
import { logFile } from '../../dev/log-file.ts';
import { formatLine, parseLine } from '../../dev/log-lines.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RUN = '01a22839-7e3b-75c4-ab5f-ac6b9d60a229';

/** Runs a program of dev/ on a data folder. */
function program(dataDir: string, env: Record<string, string>, name: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['dev/run.mjs', name, ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(([[code], complaint]) => ({
    code: code as number | null,
    out: output,
    complaint,
  }));
  return { output: () => output, ended };
}

const line = (second: number, members: object) =>
  `${JSON.stringify({ level: 'info', time: `2026-11-29T16:00:0${second}.250Z`, pid: 7, hostname: 'h', ...members })}\n`;

describe('npm run logs', () => {
  describe('when the stack is stopped', () => {
    let dataDir: string;
    const write = (name: string, content: string) =>
      fs.writeFileSync(path.join(dataDir, 'logs', `${name}.log`), content);
    const logs = (...args: readonly string[]) => program(dataDir, {}, 'logs', ...args).ended;
    const messages = async (...args: readonly string[]) =>
      (await logs(...args)).out
        .split('\n')
        .filter(Boolean)
        .map((shown) => /m\d+\b/.exec(shown)?.[0] ?? shown);

    before(() => {
      dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'quoting-logs-'));
      fs.mkdirSync(path.join(dataDir, 'logs'));
      write(
        'worker',
        [
          line(1, { msg: 'm1 mail sent', workflowId: 'quote.t-abc.COT-1', runId: RUN, quoteId: 'cquote1' }),
          line(3, { level: 'warn', msg: 'm3 refused', workflowId: 'quote.t-abc.COT-12', runId: 'r2' }),
          line(5, { level: 'error', msg: 'm5', err: { message: 'away', stack: 'Error: away\n    at x.ts:1' } }),
          line(7, { msg: 'm7 webhook', quoteNumber: 1, quoteId: 'cquote1' }),
          line(8, { msg: 'm8 webhook', quoteNumber: 12, workflowId: 'hook.a.COT-1x' }),
          'a text of no form\n',
        ].join(''),
      );
      write('api', line(2, { msg: 'm2 request', requestId: 'q2' }) + line(6, { msg: 'm6', quoteId: 'cquote12' }));
      write('postgres', '2026-11-29 16:00:04.000 UTC [1] LOG:  m4 ready\n');
    });
    after(() => fs.rmSync(dataDir, { recursive: true }));

    it('prints the last lines of API and worker in order of time, says that the stack is stopped, and exits with 0', async () => {
      const { code, out, complaint } = await logs();

      assert.equal(code, 0);
      assert.match(complaint, /^El servicio no está en marcha/);
      assert.deepEqual(out.match(/\bm\d\b/g), ['m1', 'm2', 'm3', 'm5', 'm6', 'm7', 'm8']);
      assert.match(out, /a text of no form/);
    });

    it('formats a line for people: time, part, level unless info, message, names and values; the error below', async () => {
      const { out } = await logs();

      assert.match(
        out,
        /^\d\d:\d\d:01\.250 worker {3}m1 mail sent workflowId=quote\.t-abc\.COT-1 runId=\S+ quoteId=cquote1$/m,
      );
      assert.match(out, /worker {3}warn: m3 refused/);
      assert.match(out, /worker {3}error: m5\n {4}Error: away\n {8}at x\.ts:1$/m);
      assert.doesNotMatch(out, /hostname|pid=/);
    });

    const FILTERED: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      ['one part', ['api'], ['m2', 'm6']],
      ['a server', ['postgres'], ['m4']],
      ['two parts', ['api', 'postgres'], ['m2', 'm4', 'm6']],
      ['a label of a quote', ['--quote', 'COT-1'], ['m1', 'm7']],
      ['a number of a quote', ['--quote', '12'], ['m3', 'm8']],
      ['a label in small letters', ['--quote', 'cot-12'], ['m3', 'm8']],
      ['the id of a quote', ['--quote', 'cquote1'], ['m1', 'm7']],
      ['a quote that no line has', ['--quote', 'COT-123'], []],
      ['a run id', ['--run', RUN], ['m1']],
      ['a workflow id', ['--run', 'quote.t-abc.COT-12'], ['m3']],
      ['the beginning of a workflow id', ['--run', 'quote.t-abc.COT-'], []],
      ['a level', ['--level', 'error'], ['m5', 'Error: away', 'at x.ts:1']],
      ['a level and a part', ['worker', '--level', 'warn', '--lines', '1'], ['m5', 'Error: away', 'at x.ts:1']],
      ['a number of lines', ['api', '--lines', '1'], ['m6']],
    ];
    for (const [what, args, expected] of FILTERED) {
      it(`given ${what} shows those lines only`, async () => {
        assert.deepEqual(
          (await messages(...args)).map((shown) => shown.trim()),
          expected,
        );
      });
    }

    for (const args of [['nada'], ['--level', 'loud'], ['--lines', 'x'], ['--what']]) {
      it(`prints its usage and exits with 2 when given ${args.join(' ')}`, async () => {
        const { code, out, complaint } = await logs(...args);

        assert.deepEqual([code, out], [2, '']);
        assert.match(complaint, /uso: npm run logs/);
      });
    }

    it('says how to start and exits with 1 when nothing has been logged yet', async () => {
      const empty = fs.mkdtempSync(path.join(os.tmpdir(), 'quoting-logs-'));

      const { code, complaint } = await program(empty, {}, 'logs').ended;

      fs.rmSync(empty, { recursive: true });
      assert.equal(code, 1);
      assert.match(complaint, /npm start/);
    });
  });
});

describe('logFile', () => {
  let file: string;
  beforeEach(() => {
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'quoting-log-')), 'api.log');
  });
  afterEach(() => fs.rmSync(path.dirname(file), { recursive: true }));

  it('returns a line once it is complete, although it was written in pieces that split a character', () => {
    const log = logFile(file);
    const bytes = Buffer.from('cotización\nnext');
    fs.writeFileSync(file, bytes.subarray(0, 9));

    assert.deepEqual(log.more(), []);
    fs.appendFileSync(file, bytes.subarray(9));

    assert.deepEqual(log.more(), ['cotización']);
    assert.deepEqual(log.more(), []);
  });

  it('continues with the new file after a rotation, and after a truncation', () => {
    fs.writeFileSync(file, 'one\ntwo\n');
    const log = logFile(file);
    assert.deepEqual(log.last(1), ['two']);

    fs.renameSync(file, `${file}.1`);
    fs.writeFileSync(file, 'a longer line than before\n');
    assert.deepEqual(log.more(), ['a longer line than before']);
    fs.writeFileSync(file, 'short\n');
    assert.deepEqual(log.more(), ['short']);
  });

  it('omits the partial line at which the end of a large log begins', () => {
    fs.writeFileSync(file, `${'x'.repeat(99)}\n`.repeat(12_000));

    const lines = logFile(file).last(20_000);

    assert.ok(lines.length > 10_000 && lines.length < 12_000, `${lines.length} lines`);
    assert.deepEqual([...new Set(lines)], ['x'.repeat(99)]);
  });

  it('has no lines while there is no file', () => {
    const log = logFile(file);

    assert.deepEqual([log.last(5), log.more()], [[], []]);
  });
});

describe('formatLine', () => {
  it('quotes values with spaces, and prints invalid JSON as it is', () => {
    const at = new Date();
    const shown = (written: string) => stripVTControlCharacters(formatLine(parseLine('worker', written, at)));

    assert.match(
      shown('{"level":"info","msg":"done","reason":"no room","n":2,"none":null}'),
      /done reason="no room" n=2$/,
    );
    assert.match(shown('{"level":"info","msg"'), /worker +\{"level":"info","msg"$/);
  });
});
