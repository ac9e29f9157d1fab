import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { install, type Installation } from '../installation.ts';
import { runUnderLoad } from './load.ts';
import { isLong, report } from './report.ts';
import { type Line, startLine } from './tcp-proxy.ts';

/** F17: the servers are well, the lines to them are not. */

/** Which settings lead to which server. */
const LINES = {
  PostgreSQL: ['DATABASE_URL', 'DATABASE_RELAY_URL'],
  Temporal: ['TEMPORAL_ADDRESS'],
  'the mail server': ['SMTP_URL'],
  'the storage': ['S3_ENDPOINT'],
} as const;

/** host:port in an address or a URL. */
const portIn = (value: string): number => Number(/:(\d+)(?=\/|$)/.exec(value)?.[1]);

describe('With a bad connection to', function badLines() {
  this.timeout(6 * 60_000);

  for (const [server, names] of Object.entries(LINES)) {
    it(`${server}, slow and then cut repeatedly: nothing lost`, async () => {
      const times = isLong() ? 3 : 1;
      let line: Line | undefined;
      const service = await installBehind(names, async (port) => (line = await startLine(port)));
      try {
        const outcome = await runUnderLoad(
          service,
          async () => {
            for (let time = 0; time < times; time += 1) {
              line?.setLatency(server === 'PostgreSQL' ? 50 : 250);
              await sleep(6_000);
              line?.setLatency(0);
              line?.setCuts(0.02);
              await sleep(4_000);
              line?.setCuts(0);
              line?.cut();
              await sleep(3_000);
            }
          },
          {
            // Where a call or a mail went out and its record was cut, it goes out again.
            allowance: { repeatedCalls: 40 * times, repeatedMails: 40 * times, skew: 5 },
          },
        );
        await report({
          fault: `F17 a slow and a cut line to ${server}`,
          times: times * 3,
          kills: 0,
          invariants: 'I1–I12',
          result: `${outcome.calls} calls, ${outcome.repeated} repeated, p99 of other calls ${outcome.p99} ms`,
          lost: Object.keys(outcome.violations).length,
          doubled: 0,
        });
        assert.deepEqual(outcome.violations, {});
      } finally {
        await service.remove();
        await line?.[Symbol.asyncDispose]();
      }
    });
  }
});

/** An installation whose two processes reach one server by a line of ours. */
async function installBehind(names: readonly string[], open: (port: number) => Promise<Line>): Promise<Installation> {
  let line: Line | undefined;
  return install({
    settings: async (env) => {
      const changed: Record<string, string> = {};
      for (const name of names) {
        const value = env[name] ?? '';
        line ??= await open(portIn(value));
        changed[name] = value.replace(`:${portIn(value)}`, `:${line.port}`);
      }
      return changed;
    },
  });
}
