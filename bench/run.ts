import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Problem } from '../dev/problem.ts';
import { compareWith } from './against.ts';
import { type Databases, openDatabases } from './lib/database.ts';
import { keep } from './lib/page.ts';
import { preparePeers } from './lib/peers.ts';
import { loadNow, machine, missed, type Reported, text } from './lib/report.ts';
import { profileServers } from './lib/processes.ts';
import type { Row } from './lib/row.ts';
import { ROWS } from './rows.ts';

/**
 * `npm run bench` measures every row but the long ones, `npm run bench -- chain list` some, `npm run bench:long` the
 * long ones too. `--rounds 6` sets how often each thing runs, `--quick` looks only at what no other load can change and
 * fails when one of those is out of bounds, `--write` keeps the results and writes docs/performance.md, `--profile`
 * has each server write its CPU profile to .data/bench/profiles, `--no-peers` leaves out whatever has to be installed
 * first (bench/reference), for a machine without a network. `--against dbea1d8` compares this working tree with that
 * commit instead, and fails when it takes more statements or reads more rows.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    rounds: { type: 'string' },
    against: { type: 'string' },
  },
});
const names = ROWS.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Problem(`no row ${unknown.join(', ')}; the rows are: ${names.join(', ')}`);
if (!existsSync('/proc/self/schedstat'))
  throw new Problem('CPU time is read from /proc: the benches run on Linux only');

const say = (line: string) => console.log(line);
if (values.against !== undefined) {
  const { against: commit, rounds = '20', ...others } = values;
  if (positionals.length > 0 || Object.values(others).includes(true))
    throw new Problem('--against goes with --rounds only');
  const isMore = await compareWith({ commit, rounds: Number(rounds), say });
  process.exit(isMore ? 1 : 0);
}

const chosen = ROWS.filter(({ name, when, quick }) => {
  if (values.quick && !quick) return false;
  return positionals.length > 0 ? positionals.includes(name) : values.long || when !== 'long';
});
if (values.profile) profileServers(fileURLToPath(new URL('../.data/bench/profiles', import.meta.url)));
const peers = !values.quick && !values['no-peers'];
if (peers) preparePeers(say);
let opened: Promise<Databases> | undefined;
const databases = () => (opened ??= openDatabases(say));

const reported: Reported[] = [];
let broken = 0;
try {
  for (const row of chosen) {
    const result = await measure(row).catch((error: unknown) => {
      broken += 1;
      console.error(`${row.name} could not be measured:`, error);
    });
    if (!result) continue;
    reported.push(result);
    say(text(result));
  }
  if (values.write) {
    const { version } = await databases();
    await keep(machine(version), reported, names);
  }
} finally {
  await (await opened)?.stop();
}

const facts = reported.flatMap((row) => missed(row).facts.map((what) => `${row.name}: ${what}`));
const goals = reported.flatMap((row) => missed(row).goals.map((what) => `${row.name}: ${what}`));
if (goals.length > 0) say(`goals missed in this run:\n  ${goals.join('\n  ')}`);
if (facts.length > 0) say(`out of bounds:\n  ${facts.join('\n  ')}`);
const held = reported.reduce((sum, { findings }) => sum + (findings.facts?.length ?? 0), 0) - facts.length;
say(`${held} passed, ${facts.length + broken} failed`);
// Ratios do not fail a build, because a busy machine changes them.
process.exitCode = facts.length + broken > 0 ? 1 : 0;

/** Runs a row and ends whatever it started, so that a failed one leaves its ports to the next. */
async function measure(row: Row): Promise<Reported> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const before = loadNow();
  const startedAt = performance.now();
  try {
    const findings = await row.run({
      quick: values.quick,
      rounds: Number(values.rounds ?? 5),
      databases,
      peers,
      after: (close) => void closers.push(close),
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const reported = {
      name: row.name,
      title: row.title,
      seconds,
      load: [before, loadNow()],
      findings,
    } satisfies Reported;
    if (row.shortfall === undefined || missed(reported).goals.length === 0) return reported;
    return { ...reported, findings: { ...findings, notes: [...(findings.notes ?? []), row.shortfall] } };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
