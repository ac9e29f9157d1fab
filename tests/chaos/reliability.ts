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
${postgres} and Temporal ${temporal} as \`npm start\` brings them: one API, one worker, every commit on disk. Each fault is
made under load, on an installation of its own; afterwards all that callers, receivers and inboxes were told is held to
the database and to Temporal. What the invariants are stands in \`tests/chaos/invariants.ts\`. Lost is an invariant that
did not hold; doubled is an effect that came twice beyond what is said below. The lines of all runs are in
[reliability.jsonl](reliability.jsonl).

| fault | times | kills | held to | lost | doubled | last result |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map(lineOf).join('\n')}
| **all** | ${total('times')} | ${total('kills')} | | ${total('lost')} | ${total('doubled')} | |

${boundOf(total('kills'), total('lost') + total('doubled'))}

## What is not promised

- **A mail may come twice.** SMTP has no way to ask whether a message was taken. A worker that dies, or stands still
  for seconds, between the message and the mail server's answer has it sent again, with the same Message-ID: at most one
  repetition for each such death. When it cannot be sent again, the share answers 500 and counts against the mail quota: nobody
  knows whether the mail went out.
- **A webhook may come twice**, when the worker dies between an endpoint's answer and the note of it. Receivers tell by
  \`webhook-id\`, which stays.
- **What was never acknowledged** may or may not have happened. Repeat the call with its Idempotency-Key: it has one
  effect.
- **PostgreSQL's and Temporal's clocks must be right.** Those of API and worker need not be, for what F13 looks at.
- **A disk that loses what it said it had written** is beyond all this, as are several servers that die at once with
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
  if (kills === 0) return 'No process was killed, so nothing can be said of kills.';
  if (wrong > 0) return `**In ${kills} kills, ${wrong} findings were wrong**: no bound is claimed.`;
  // Rounded up, because it is a bound.
  const bound = (Math.ceil((3 / kills) * 1_000) / 10).toFixed(1);
  return `**In ${kills} kills nothing was lost and nothing doubled.** With a confidence of 95 %, a kill loses something in fewer than
${bound} % of cases (3/n). Kills fall at random moments; the windows between two writes are hit on purpose by
\`tests/chaos/crash-points.test.ts\`.`;
}
