import { type Callers, getJson, openCallers, type Request } from './lib/callers.ts';
import { post } from './lib/business.ts';
import { costs, interleave, type Variant } from './lib/measure.ts';
import { startApi } from './lib/processes.ts';
import type { Bench, Findings, Row } from './lib/row.ts';
import { clientId, DATA_SETS } from './lib/seed.ts';

/** A quote with everything that a quote may have, beside one with lines only: creating it, and its client's page. */
export const row: Row = {
  name: 'rich',
  title: 'a quote with sections, units, options, taxes, discount and deposit, beside a plain one',
  quick: false,
  run: measureRich,
};

const COUNT = 200;
const LINES = 5;
const plainLine = { productName: 'Silla ejecutiva', unitPrice: 100, quantity: 2 };

const plain = (client: string) => ({ clientId: client, items: Array.from({ length: LINES }, () => plainLine) });

const rich = (client: string) => ({
  clientId: client,
  title: 'Remodelación de oficinas',
  reference: 'OC-2041',
  metadata: { project: 'P-77', cost_center: 'ventas' },
  terms: '50 % de anticipo, resto contra entrega.',
  internalNotes: 'Margen del 30 %',
  discountPct: 5,
  deposit: { type: 'percent', value: 50, note: 'Al firmar' },
  items: Array.from({ length: LINES }, (_, n) => ({
    ...plainLine,
    quantity: 2.5,
    unit: 'm²',
    description: 'Respaldo de malla, altura ajustable',
    section: n < 3 ? 'Mobiliario' : 'Instalación',
    discountPct: 10,
    taxes: [],
    ...(n === LINES - 1 && { optional: true, selected: true }),
  })),
});

async function measureRich(bench: Bench): Promise<Findings> {
  const databases = await bench.databases();
  const set = DATA_SETS.smallMany;
  const database = await databases.own(set);
  const api = await startApi(databases, database);
  bench.after(api.stop);
  const cookie = await database.cookieOf(0);
  const headers = { 'content-type': 'application/json', cookie };
  const opened = (request: Request, expect: number): Callers => {
    const callers = openCallers(api.url, { callers: 4, expect, request: () => request });
    bench.after(callers.close);
    return callers;
  };
  const variants: Variant[] = [];
  for (const [kind, body] of Object.entries({ plain: plain(clientId(set, 0, 0)), rich: rich(clientId(set, 0, 0)) })) {
    const creating = opened({ method: 'POST', path: '/api/quotes', headers, body: JSON.stringify(body) }, 201);
    const viewing = opened({ path: await pageOf(api.url, cookie, body) }, 200);
    for (const [what, callers] of Object.entries({ create: creating, page: viewing })) {
      variants.push({
        name: `${what}, ${kind}`,
        operations: COUNT,
        pids: [api.pid],
        run: async () => void (await callers.send(COUNT)),
      });
    }
  }
  const samples = await interleave(variants, { rounds: bench.rounds, warm: 2, postgres: databases.pid });
  return {
    samples: [samples],
    ratios: [
      {
        what: 'cost of creating a rich quote vs. a plain one',
        values: costs(samples, 'create, rich', 'create, plain'),
      },
      { what: "cost of a rich quote's page vs. a plain one's", values: costs(samples, 'page, rich', 'page, plain') },
    ],
    notes: ['The PDFs are variants of the row `pdf`.'],
  };
}

/** The path of the page of a new quote that its client may open. */
async function pageOf(url: string, cookie: string, body: unknown): Promise<string> {
  const { id } = await post<{ id: string }>(`${url}/api/quotes`, cookie, body);
  await post(`${url}/api/quotes/${id}/share`, cookie, { channel: 'link' });
  const { publicToken } = (await getJson(`${url}/api/quotes/${id}/link`, { cookie })) as { publicToken: string };
  return `/p/${publicToken}`;
}
