import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { install, type Installation } from '../installation.ts';
import { runUnderLoad } from './load.ts';
import { isLong, report } from './report.ts';
import { type Line, startLine } from './tcp-proxy.ts';

/** F17: the servers work, the connections to them do not. */

/** Which settings lead to which server. */
const SETTINGS = {
  PostgreSQL: ['DATABASE_URL', 'DATABASE_DISPATCHER_URL'],
  Temporal: ['TEMPORAL_ADDRESS'],
  'the mail server': ['SMTP_URL'],
  'the storage': ['S3_ENDPOINT'],
} as const;

/** host:port in an address or a URL. */
const portIn = (value: string): number => Number(/:(\d+)(?=\/|$)/.exec(value)?.[1]);

describe('with a bad connection to', () => {
  const lines = new Map<string, Line>();
  let service: Installation;

  before(async () => {
    service = await installBehind(lines);
  });
  after(async () => {
    await service?.remove();
    for (const line of lines.values()) await line[Symbol.asyncDispose]();
  });

  for (const server of Object.keys(SETTINGS)) {
    it(`${server}: slow, then cut repeatedly: nothing is lost`, async () => {
      const times = isLong() ? 3 : 1;
      const [slowMs, cutsMs, restMs] = isLong() ? [6_000, 4_000, 3_000] : [4_000, 3_000, 2_000];
      const line = lines.get(server);
      const outcome = await runUnderLoad(
        service,
        async () => {
          for (let time = 0; time < times; time += 1) {
            line?.setLatency(server === 'PostgreSQL' ? 50 : 250);
            await sleep(slowMs);
            line?.setLatency(0);
            line?.setCuts(0.02);
            await sleep(cutsMs);
            line?.setCuts(0);
            line?.cut();
            await sleep(restMs);
          }
        },
        {
          // A call or a mail whose record was cut is sent again.
          allowance: { repeatedCalls: 40 * times, repeatedMails: 40 * times, skew: 5 },
        },
      );
      await report({
        fault: `F17 a slow and a cut line to ${server}`,
        times: times * 3,
        kills: 0,
        invariants: 'I1–I12',
        result: `${outcome.calls} calls, ${outcome.repeated} repeated, p99 of the others ${outcome.p99} ms`,
        lost: Object.keys(outcome.violations).length,
        doubled: 0,
      });
      assert.deepEqual(outcome.violations, {});
    }).timeout(6 * 60_000);
  }
});

/** An installation whose two processes reach each server by a line of ours, which is added to `lines`. */
const installBehind = (lines: Map<string, Line>): Promise<Installation> =>
  install({
    settings: async (env) => {
      const changed: Record<string, string> = {};
      for (const [server, names] of Object.entries(SETTINGS)) {
        for (const name of names) {
          const value = env[name] ?? '';
          const line = lines.get(server) ?? (await startLine(portIn(value)));
          lines.set(server, line);
          changed[name] = value.replace(`:${portIn(value)}`, `:${line.port}`);
        }
      }
      return changed;
    },
  });
