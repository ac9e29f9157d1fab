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
import { eventually } from '../eventually.ts';
import { copySource } from '../source-copy.ts';
import { makeDataFolder, removeFolder } from '../dev/data-folder.ts';

const CREATE = 'api/quotes/create.ts';
const NOTES = "notes: body.notes === undefined ? tenant.defaultNotes : (body.notes ?? ''),";
/** Long enough for a restart on a machine that runs other suites; `npm run dev` takes 3 s on an idle one. */
const RESTART_MS = 60_000;

describe('npm run dev', function () {
  this.timeout(300_000);

  let source: string;
  let dataDir: string;
  let port: number;
  let launcher: ChildProcess;
  let exitCode: Promise<number | null>;
  let output = '';
  let stack: StackFile;
  let clientId: string;

  const inspector = net.createServer();

  before(async () => {
    inspector.listen(9229, '127.0.0.1');
    await once(inspector, 'listening').catch((error: unknown) => {
      // Another program listens on it: the debugger gets another port.
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    });
    source = copySource('quoting-watched-');
    dataDir = await makeDataFolder();
    port = await freePort();
  });

  beforeEach(async () => {
    if (launcher?.exitCode === null) return;
    output = '';
    launcher = spawn(process.execPath, ['dev/run.mjs', 'main', '--watch'], {
      cwd: source,
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    launcher.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    launcher.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    exitCode = once(launcher, 'close').then(([code]) => code as number | null);
    while (!output.includes('npm run reset ')) {
      if (launcher.exitCode !== null) throw new Error(output);
      await sleep(50);
    }
    stack = JSON.parse(fs.readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as StackFile;
    clientId = /"clientId":"(\w+)"/.exec(output)?.[1] ?? '';
  });

  after(async () => {
    launcher.kill('SIGTERM');
    await exitCode;
    inspector.close();
    await removeFolder(source);
    await removeFolder(dataDir);
  });

  const read = (file: string) => fs.readFileSync(path.join(source, file), 'utf8');

  /** Writes a file of the copy as many editors do: beside it first, then renamed. */
  function save(file: string, text: string): void {
    const target = path.join(source, file);
    fs.writeFileSync(`${target}.new`, text);
    fs.renameSync(`${target}.new`, target);
  }

  /** The pid of each process that the launcher started, by name. */
  function pids(): Readonly<Record<string, number>> {
    const folder = path.join(dataDir, 'pids');
    return Object.fromEntries(
      fs.readdirSync(folder).map((file) => {
        const { pid } = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as { pid: number };
        return [path.basename(file, '.json'), pid];
      }),
    );
  }

  const linesOf = (pattern: RegExp): readonly string[] => output.split('\n').filter((line) => pattern.test(line));

  async function post(route: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${stack.api}/api/quotes${route}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.demo.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  const createQuote = () => post('', { clientId, items: [{ productName: 'Silla', unitPrice: 100, quantity: 1 }] });

  it('answers with the saved code after one restart for several quick saves; no other process restarts', async () => {
    const before = pids();

    save(CREATE, read(CREATE).replace(NOTES, "notes: 'primera',"));
    for (const file of ['api/app.ts', 'portal/layout.ts']) save(file, `${read(file)}// saved\n`);

    await eventually(async () => assert.equal((await createQuote())['notes'], 'primera'), RESTART_MS);
    // It names the first file and the number of the others.
    await eventually(() => assert.equal(linesOf(/^✔ API: /).length, 1, output), RESTART_MS);
    assert.match(linesOf(/^✔ API: /)[0] ?? '', / y 2 más/);
    const { api, ...others } = pids();
    const { api: apiBefore, ...othersBefore } = before;
    assert.notEqual(api, apiBefore);
    assert.deepEqual(others, othersBefore);
    assert.equal(Object.keys(others).length, 4);
    await sleep(1_000);
    assert.equal(linesOf(/^✔ API: /).length, 1);
  });

  it('mails with the saved code of activities/mail.ts; the API does not restart', async () => {
    const before = pids();
    const original = read('activities/mail.ts');
    const changed = original.replace('composeQuoteMail({', 'named({');
    const added =
      "const named: typeof composeQuoteMail = (mail) => ({ ...composeQuoteMail(mail), subject: 'nuevo' });\n";

    save('activities/mail.ts', `${changed}${added}`);
    await eventually(() => assert.notEqual(pids()['worker'] ?? before['worker'], before['worker']), RESTART_MS);
    const { id } = await createQuote();
    await eventually(
      async () => assert.deepEqual(await post(`/${String(id)}/share`, {}), { success: true }),
      RESTART_MS,
    );

    const mails = (await (await fetch(stack.inboxApi ?? '')).json()) as { subject: string }[];
    assert.equal(mails[0]?.subject, 'nuevo');
    assert.equal(pids()['api'], before['api']);
  });

  it('prints file and error of code that does not compile in one line, and restarts on the next good save', async () => {
    const original = read(CREATE);

    save(CREATE, `${original}const broken = ;\n`);
    const place = `${CREATE}:${original.split('\n').length}:15`;
    await eventually(() => assert.ok(output.includes('✘ API'), output), RESTART_MS);
    const failures = linesOf(/✘/);
    save(CREATE, original.replace(/notes: .*,/, "notes: 'mejor',"));

    await eventually(async () => assert.equal((await createQuote())['notes'], 'mejor'), RESTART_MS);
    assert.deepEqual(failures, [`✘ API no arranca: ${place}: Unexpected ";"`]);
  });

  it('serves the last save when it came during a restart', async () => {
    const original = read(CREATE);
    const before = pids()['api'];

    save(CREATE, original.replace(/notes: .*,/, "notes: 'a medias',"));
    await eventually(() => assert.notEqual(pids()['api'] ?? before, before), RESTART_MS);
    save(CREATE, original.replace(/notes: .*,/, "notes: 'al final',"));

    await eventually(async () => assert.equal((await createQuote())['notes'], 'al final'), RESTART_MS);
  });

  it('lets a debugger attach to the API on another port when 9229 is taken', async () => {
    const [note = ''] = linesOf(/API: el puerto 9229 del depurador está ocupado/);
    const [, other = ''] = /uso el (\d+)/.exec(note) ?? [];

    const targets = (await (await fetch(`http://127.0.0.1:${other}/json/list`)).json()) as { title: string }[];

    assert.match(targets[0]?.title ?? '', /dev\/api\.js/);
  });

  it('leaves no process after Ctrl-C during a restart, and exits with 0', async () => {
    const before = pids();

    save(CREATE, `${read(CREATE)}// again\n`);
    await eventually(() => assert.notEqual(pids()['api'], before['api']), RESTART_MS);
    const during = pids();
    launcher.kill('SIGINT');

    assert.equal(await exitCode, 0);
    assert.deepEqual([...Object.values(before), ...Object.values(during)].filter(isAlive), []);
  });

  it('stops the rest and prints the last log lines when the worker dies', async () => {
    const started = pids();

    process.kill(started['worker'] ?? 0, 'SIGKILL');

    assert.equal(await exitCode, 1);
    assert.match(output, /worker terminó por la señal SIGKILL\. Sus últimas líneas/);
    assert.deepEqual(Object.values(started).filter(isAlive), []);
  });
});
