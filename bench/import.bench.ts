import { setTimeout as sleep } from 'node:timers/promises';
import { getJson } from './lib/callers.ts';
import { cpuOf } from './lib/cpu.ts';
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

async function measureImport(bench: Bench): Promise<Findings> {
  const worker = await startWorker(bench);
  const api = await startNode('api/main.ts', { env: worker.env });
  bench.after(api.stop);

  const headers = { cookie: await registered(api.url) };
  const cpuBefore = cpuOf(api.pid) + cpuOf(worker.pid);
  const startedAt = performance.now();
  const id = await upload(api.url, headers);
  for (;;) {
    const report = (await getJson(`${api.url}/api/imports/${id}`, headers)) as { status: string; created: number };
    if (report.status === 'COMPLETED' && report.created === CLIENTS) break;
    if (report.status === 'FAILED') throw new Error('the import failed');
    await sleep(50);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    figures: [
      { what: 'from the upload until all are saved', value: seconds, unit: 's', goal: { most: 30 } },
      {
        what: 'API and worker meanwhile',
        value: (cpuOf(api.pid) + cpuOf(worker.pid) - cpuBefore) / 1e9,
        unit: 's of CPU',
      },
    ],
  };
}

/** The cookie of the owner of a new business. */
async function registered(url: string): Promise<string> {
  const res = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Ana Pérez',
      businessName: 'Muebles',
      email: 'ana@negocio.example',
      password: 'una frase bastante larga',
    }),
  });
  if (!res.ok) throw new Error(`the registration answered ${res.status} ${await res.text()}`);
  return res.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
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
