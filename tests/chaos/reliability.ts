import type { Finding } from './report.ts';

/** Writes the page of results: `docs/reliability.md`. */

/** The machine of the measurement, without names. */
export interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly postgres: string;
  readonly temporal: string;
}

/** One fault over all its runs. */
interface Row extends Finding {
  readonly runs: number;
}

/**
 * The page for these findings, in order of their runs.
 *
 * @param date of the writing, YYYY-MM-DD
 */
export function reliabilityPage(findings: readonly Finding[], { machine, date }: { machine: Machine; date: string }) {
  const rows = summed(findings).toSorted((a, b) => placeOf(a) - placeOf(b) || (a.fault < b.fault ? -1 : 1));
  const total = (name: 'times' | 'kills' | 'lost' | 'doubled') => rows.reduce((sum, row) => sum + row[name], 0);
  const { cores, memoryGb, node, postgres, temporal } = machine;
  return `# Reliability

Written by \`npm run test:chaos\` on ${date}, on ${cores} cores and ${memoryGb} GB of memory, with Node ${node}, PostgreSQL
${postgres} and Temporal ${temporal} as \`npm start\` runs them: one API, one worker, every commit flushed to disk. Each fault is
injected under load into an installation of its own. Afterwards everything that callers, receivers and inboxes received is
compared with the database and with Temporal. \`tests/chaos/invariants.ts\` defines the invariants I1 to I12. "Lost" counts
invariants that did not hold, "duplicated" effects that happened twice beyond the exceptions below.
[reliability.jsonl](reliability.jsonl) has one line per run.

| fault | times | kills | checked | lost | duplicated | last result |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map(lineOf).join('\n')}
| **all** | ${total('times')} | ${total('kills')} | | ${total('lost')} | ${total('doubled')} | |

${boundOf(total('kills'), total('lost') + total('doubled'))}

## What is not promised

- **A mail may come twice.** SMTP cannot be asked whether a message was accepted. If a worker dies or pauses for seconds between
  the message and the mail server's reply, the mail is sent again with the same Message-ID: at most one repetition per such
  failure. If it cannot be sent again, the share answers 500 and counts against the mail quota: whether the mail went out is
  unknown.
- **A webhook may come twice** if the worker dies between an endpoint's response and its record. Receivers recognise the
  repetition by \`webhook-id\`, which stays the same.
- **A call without a response** may or may not have taken effect. Repeat it with its Idempotency-Key: it has one effect.
- **The clocks of PostgreSQL and Temporal must be right.** Those of API and worker need not be, as far as F13 tests it.
- **A disk that loses data after reporting them as written** is out of scope, and so are several servers that fail together with
  their disks.
`;
}

function summed(findings: readonly Finding[]): Row[] {
  const rows = new Map<string, Row>();
  for (const finding of findings) {
    const before = rows.get(finding.fault) ?? { runs: 0, times: 0, kills: 0, lost: 0, doubled: 0 };
    rows.set(finding.fault, {
      ...finding,
      runs: before.runs + 1,
      times: before.times + finding.times,
      kills: before.kills + finding.kills,
      lost: before.lost + finding.lost,
      doubled: before.doubled + finding.doubled,
    });
  }
  return [...rows.values()];
}

/** F2b comes after F2 and before F3; faults without a number come last. */
const placeOf = ({ fault }: Row): number => {
  const [, number, letter] = /^F(\d+)([a-z])?\b/.exec(fault) ?? [];
  return number === undefined ? Number.MAX_SAFE_INTEGER : Number(number) * 2 + (letter ? 1 : 0);
};

const lineOf = ({ fault, runs, times, kills, invariants, lost, doubled, result }: Row): string =>
  `| ${[cell(fault), times, kills, cell(invariants), lost, doubled, cell(runs > 1 ? `${result} (${runs} runs)` : result)].join(' | ')} |`;

/** A pipe or a line break would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();

/** No loss in n kills bounds the loss rate of one kill below 3/n with a confidence of 95 % (the rule of three). */
function boundOf(kills: number, wrong: number): string {
  if (kills === 0) return 'No process was killed, so no bound is claimed.';
  if (wrong > 0) return `**In ${kills} kills, ${wrong} findings were wrong**: no bound is claimed.`;
  // Rounded up, because it is a bound.
  const bound = (Math.ceil((3 / kills) * 1_000) / 10).toFixed(1);
  return `**In ${kills} kills nothing was lost and nothing duplicated.** With 95 % confidence, a kill loses something in fewer than
${bound} % of cases (3/n). Kills happen at random moments; \`tests/chaos/crash-points.test.ts\` kills at named
points between two writes.`;
}
