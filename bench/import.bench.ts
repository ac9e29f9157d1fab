import { setTimeout as sleep } from 'node:timers/promises';
import { registered } from './lib/business.ts';
import { getJson, openCallers } from './lib/callers.ts';
import { cpuOf, cpuOfTree } from './lib/cpu.ts';
import { startNode } from './lib/processes.ts';
import type { Bench, Findings, Row } from './lib/row.ts';
import { startWorker } from './lib/worker.ts';

/** A file of ten thousand clients, from its upload to the last row. */
export const row: Row = {
  name: 'import',
  title: '10 000 clients from one CSV file, by its workflow',
  quick: false,
  run: measureImport,
};

const CLIENTS = 10_000;
const ALONE = 1_000;

async function measureImport(bench: Bench): Promise<Findings> {
  const worker = await startWorker(bench, { RATE_LIMITS: 'off' });
  const api = await startNode('api/main.ts', { env: worker.env });
  bench.after(api.stop);

  const headers = { cookie: await registered(api.url) };
  const cpu = () => cpuOf(api.pid) + cpuOf(worker.pid) + cpuOfTree(worker.postgres);
  const before = cpu();
  const startedAt = performance.now();
  const id = await upload(api.url, headers);
  for (;;) {
    const report = (await getJson(`${api.url}/api/imports/${id}`, headers)) as { status: string; created: number };
    if (report.status === 'COMPLETED' && report.created === CLIENTS) break;
    if (report.status === 'FAILED') throw new Error('the import failed');
    await sleep(50);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const imported = (cpu() - before) / CLIENTS;
  const alone = await createdAlone(api.url, headers, cpu);
  return {
    ratios: [{ what: 'cost of an imported client vs. one created alone', values: [imported / alone] }],
    figures: [
      { what: 'from the upload until all are saved', value: seconds, unit: 's', goal: { most: 30 } },
      {
        what: 'API, worker and PostgreSQL meanwhile',
        value: (imported * CLIENTS) / 1e9,
        unit: 's of CPU',
      },
    ],
  };
}

/** The cost of a client that one request creates. */
async function createdAlone(url: string, headers: { readonly cookie: string }, cpu: () => number): Promise<number> {
  const callers = openCallers(url, {
    callers: 4,
    expect: 201,
    request: (n) => ({
      method: 'POST',
      path: '/api/clients',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ contactName: `Cliente ${n}`, companyName: `Empresa ${n}`, phone: '55 1234 5678' }),
    }),
  });
  try {
    await callers.send(100);
    const before = cpu();
    await callers.send(ALONE);
    return (cpu() - before) / ALONE;
  } finally {
    await callers.close();
  }
}

async function upload(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const lines = Array.from(
    { length: CLIENTS },
    (_, n) => `Cliente ${n},Empresa ${n},cliente${n}@example.com,55 1234 5678`,
  );
  const form = new FormData();
  form.set('file', new Blob([['contacto,empresa,correo,teléfono', ...lines].join('\n')]), 'clientes.csv');
  const res = await fetch(`${url}/api/clients/import`, { method: 'POST', headers, body: form });
  if (res.status !== 202) throw new Error(`the import answered ${res.status} ${await res.text()}`);
  return ((await res.json()) as { id: string }).id;
}
