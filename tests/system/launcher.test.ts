import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../dev/ports.ts';
import { codeOf } from '../../dev/problem.ts';
import { isAlive } from '../../dev/process-table.ts';
import type { StackFile } from '../../dev/stack-file.ts';
import { session } from '../docs/documents.ts';
import { eventually } from '../eventually.ts';
import { makeDataFolder, removeFolder } from '../dev/data-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('npm start', () => {
  let dataDir: string;
  let port: number;
  /** The stack that the tests share; tests that end it leave none. */
  let current: Running | undefined;
  /** Runs of npm run logs that end with it. */
  let followers: readonly Run[] = [];

  interface Run {
    readonly child: ChildProcess;
    readonly output: () => string;
    readonly exitCode: Promise<number | null>;
  }

  type Running = Run & { readonly stack: StackFile };

  before(async () => {
    dataDir = await makeDataFolder();
    port = await freePort();
  });

  after(async () => {
    await script('stop').exitCode;
    await current?.exitCode;
    await removeFolder(dataDir);
  });

  const script = (name: string, ...args: string[]): Run => scriptWith({}, name, ...args);

  function scriptWith(settings: Record<string, string>, name: string, ...args: string[]): Run {
    const child = spawn(process.execPath, ['dev/run.mjs', name, ...args], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), NO_COLOR: '1', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output, exitCode: once(child, 'close').then(([code]) => code as number | null) };
  }

  /** The running stack; starts one if none runs. */
  async function running(): Promise<Running> {
    if (current?.child.exitCode === null && current.child.signalCode === null) return current;
    return (current = await start());
  }

  /** Starts the stack and waits for the end of its table. */
  async function start(): Promise<Running> {
    const run = script('main');
    while (!run.output().includes('npm run reset ')) {
      if (run.child.exitCode !== null) throw new Error(run.output());
      await sleep(50);
    }
    const file = fs.readFileSync(path.join(dataDir, 'stack.json'), 'utf8');
    return { ...run, stack: JSON.parse(file) as StackFile };
  }

  /** The pids of all processes that the launcher has started. */
  function startedPids(): number[] {
    const folder = path.join(dataDir, 'pids');
    return fs.readdirSync(folder).map((name) => {
      const { pid } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as { pid: number };
      return pid;
    });
  }

  const pidOf = (name: string): number =>
    // Between the end of one and the start of the next there is no record.
    fs.existsSync(path.join(dataDir, 'pids', `${name}.json`))
      ? (JSON.parse(fs.readFileSync(path.join(dataDir, 'pids', `${name}.json`), 'utf8')) as { pid: number }).pid
      : Number.NaN;

  it('is named by npm run demo and npm run quoting when no stack runs', async () => {
    const demo = script('demo');
    const quoting = script('quoting', 'tenant', 'list');

    assert.deepEqual([await demo.exitCode, await quoting.exitCode], [1, 1]);
    assert.match(demo.output(), /npm start/);
    assert.match(quoting.output(), /DATABASE_URL: is not set[\s\S]+El servicio no está en marcha aquí.*npm start/);
  });

  it('prints addresses, tested logins and a command that creates and shares a quote with its PDF', async () => {
    const { output, stack } = await running();
    const command = output().slice(output().indexOf('curl -sS'), output().indexOf('\n\nSiga con'));

    const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [answer] = (await once(shell.stdout, 'data')) as [Buffer];

    // On a busy machine the first share of a worker, which loads the PDF renderer, may end after its response.
    assert.match(answer.toString(), /^{("success":true|.*"code":"share_pending".*)}\s*$/);
    await eventually(async () => {
      const mails = (await (await fetch(stack.inboxApi ?? '')).json()) as { attachments: { contentType: string }[] }[];
      assert.equal(mails[0]?.attachments[0]?.contentType, 'application/pdf');
    });
    assert.match(output(), new RegExp(`${stack.demo.owner.email} / ${stack.demo.owner.password}`));
    assert.match(output(), /✔ Entrada de prueba/);
  });

  it('lets npm run demo print each call of the main use case as curl, and pages that respond', async () => {
    const { stack } = await running();

    const demo = script('demo');

    assert.equal(await demo.exitCode, 0, demo.output());
    assert.equal(demo.output().match(/^curl -sS -X /gm)?.length, 7);
    const [page = '', run = ''] = demo.output().match(/(?<=(Página del cliente|Temporal) +)http\S+/g) ?? [];
    const answers = await Promise.all([page, run].map((address) => fetch(address)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.ok(page.startsWith(`${stack.api}/p/`));
    assert.match(run, /workflows\/quote\.t-\w{8}\.COT-\d+\//);
    assert.match(demo.output(), /\/dev\/sink\/demo-\w+ · 3 avisos, todos con firma válida/);
  });

  it('makes the commands of the quick start and the README work: a quote is sent and accepted, a webhook received', async () => {
    const { stack } = await running();
    const steps = [session('docs/guides/quick-start.md'), session('README.md')];

    const shell = spawn('bash', ['-euo', 'pipefail', '-c', steps.join('\n')], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(shell, 'close')) as [number];

    assert.equal(code, 0, output);
    assert.match(output, /\nACCEPTED Laura Méndez\n/);
    assert.equal(output.match(/\{"success":true\b/g)?.length, 2);
    await eventually(async () => {
      const sink = await fetch(`${stack.api}/dev/sink/first`, { headers: { Accept: 'application/json' } });
      const { calls } = (await sink.json()) as { calls: { signature: string; headers: Record<string, string> }[] };
      const events = calls.map(({ signature, headers }) => `${headers['x-service-event']} ${signature}`);
      assert.ok(events.includes('quote.accepted valid'), events.join());
      assert.ok(events.includes('quote.sent valid'), events.join());
    });
  });

  it('lets npm run status -- --json print the same addresses while it runs', async () => {
    const { stack } = await running();

    const status = script('status', '--json');

    assert.equal(await status.exitCode, 0);
    assert.deepEqual(JSON.parse(status.output()), stack);
  });

  it('lets npm run quoting work without any setting', async () => {
    await running();

    const list = script('quoting', 'tenant', 'list');
    const reconcile = script('quoting', 'reconcile');

    assert.equal(await list.exitCode, 0, list.output());
    assert.match(list.output(), /^t-\w{8}\tPRO\t/m);
    assert.equal(await reconcile.exitCode, 0, reconcile.output());
    assert.match(reconcile.output(), /"quoteLifecycle":\d+/);
  });

  it('refuses a second start and a reset while it runs, and names npm run stop', async () => {
    await running();

    const second = script('main');
    const reset = script('reset', '--yes');

    assert.equal(await second.exitCode, 1);
    assert.match(second.output(), /ya está en marcha \(proceso \d+\)\. Para detenerlo: npm run stop/);
    assert.equal(await reset.exitCode, 1);
    assert.match(reset.output(), /deténgalo antes: npm run stop/);
  });

  it('is followed by npm run logs, as a whole and by quote', async () => {
    const { stack } = await running();
    const headers = { Authorization: `Bearer ${stack.demo.apiKey}` };
    const { data } = (await (await fetch(`${stack.api}/api/quotes?limit=1`, { headers })).json()) as {
      data: { quoteNumber: number }[];
    };
    const label = `COT-${(data[0]?.quoteNumber ?? 0) + 1}`;
    const [all, ofQuote, ofNone] = [
      script('logs', '--lines', '0'),
      script('logs', '--quote', label),
      script('logs', '--quote', 'COT-999'),
    ];
    followers = [all, ofQuote, ofNone];

    const demo = script('demo');

    assert.equal(await demo.exitCode, 0, demo.output());
    await eventually(() => {
      for (const { output } of [all, ofQuote]) {
        assert.match(output(), new RegExp(`worker {3}mail sent .*workflowId=quote\\.\\S+\\.${label} `));
        assert.match(output(), /worker {3}webhook delivered .*event=quote\.status_changed/);
      }
    });
    assert.equal(ofNone.output(), '');
  });

  it('leaves no process, no stack.json and no npm run logs after Ctrl-C, and exits with 0', async () => {
    const { child, exitCode } = await running();
    const pids = startedPids();

    child.kill('SIGINT');

    assert.equal(await exitCode, 0);
    assert.ok(pids.length >= 5);
    assert.deepEqual(pids.filter(isAlive), []);
    assert.equal(fs.existsSync(path.join(dataDir, 'stack.json')), false);
    for (const { exitCode: end, output } of followers) {
      assert.equal(await end, 0);
      assert.match(output(), /(^|\n)El servicio se detuvo\.\n$/);
    }
  });

  it('lets the second of two simultaneous starts with one port refuse the port and start nothing', async () => {
    const other = await makeDataFolder();
    const first = running();
    await eventually(() => assert.ok(startedPids().length > 0, 'none has started'));

    const second = scriptWith({ DATA_DIR: other }, 'main');

    assert.equal(await second.exitCode, 1);
    assert.match(second.output(), new RegExp(`El puerto ${port} está ocupado`));
    assert.equal(fs.existsSync(path.join(other, 'pids')), false);
    await first;
    await removeFolder(other);
  });

  it('ends what a killed launcher left behind and starts on the same data', async () => {
    const killed = await running();
    const pids = startedPids();
    killed.child.kill('SIGKILL');
    await killed.exitCode;

    const { output, stack } = await running();

    assert.match(output(), /detuve lo que dejó una ejecución anterior: .*postgres/);
    assert.deepEqual(pids.filter(isAlive), []);
    assert.deepEqual(stack.demo, killed.stack.demo);
  });

  it('restarts each killed process with one line, and npm run demo passes', async () => {
    const { output } = await running();
    const shown = output().length;

    for (const name of ['postgres', 'temporal', 'storage', 'worker', 'api']) {
      process.kill(pidOf(name), 'SIGKILL');
      const lines = () => output().slice(shown).trim().split('\n');
      const restarts = output().split('otra vez en marcha').length;
      await eventually(() => assert.equal(output().split('otra vez en marcha').length, restarts + 1, output()));
      assert.match(lines().at(-1) ?? '', /^↻ \S.+ terminó por la señal SIGKILL y está otra vez en marcha$/);
    }
    const demo = script('demo');

    assert.equal(await demo.exitCode, 0, demo.output());
    assert.equal(output().slice(shown).trim().split('\n').length, 5, output().slice(shown));
  });

  it('stops everything and prints the last log lines once a process has ended five times in a minute', async () => {
    const { child, exitCode, output } = await running();
    const pids = startedPids();

    let ends = 0;
    const restarts = () => output().split('otra vez en marcha').length;
    for (let before = restarts(); child.exitCode === null; before = restarts()) {
      process.kill(pidOf('storage'), 'SIGKILL');
      ends += 1;
      await eventually(() => assert.ok(restarts() > before || child.exitCode !== null, output()));
    }

    // A start that fails, as one may on a busy machine, counts as an end too.
    assert.ok(ends >= 3 && ends <= 5, `${ends} ends`);
    assert.equal(await exitCode, 1);
    assert.match(
      output(),
      /✘ (storage terminó por la señal SIGKILL\. Sus últimas líneas|storage ended while starting)/,
    );
    assert.deepEqual([...pids, ...startedPids()].filter(isAlive), []);
  });

  it('refuses HOST=0.0.0.0 with its sentence, and starts nothing', async () => {
    const { output, exitCode } = scriptWith({ HOST: '0.0.0.0' }, 'main');

    assert.equal(await exitCode, 1);
    assert.match(output(), /HOST=0\.0\.0\.0 abriría a otros equipos una instalación de prueba/);
    assert.deepEqual(startedPids(), []);
  });

  it('refuses a busy API port by number, names PORT, and starts nothing', async () => {
    const other = net.createServer().listen(port, '127.0.0.1');
    await once(other, 'listening').catch((error: unknown) => {
      // In use by another program by now, which is refused all the same.
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    });

    const { exitCode, output } = script('main');

    assert.equal(await exitCode, 1);
    assert.match(output(), new RegExp(`El puerto ${port} está ocupado`));
    assert.match(output(), new RegExp(`PORT=${port + 1} npm start`));
    assert.deepEqual(startedPids(), []);
    other.close();
  });

  it('lets npm run reset -- --yes delete the data once it is stopped; without --yes it only asks', async () => {
    const asked = script('reset');
    const code = await asked.exitCode;
    const kept = fs.existsSync(dataDir);

    const confirmed = script('reset', '--yes');

    assert.deepEqual([code, kept], [1, true]);
    assert.equal(await confirmed.exitCode, 0);
    assert.equal(fs.existsSync(dataDir), false);
  });
});
