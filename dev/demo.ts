import colors from 'picocolors';
import { call, type DemoCall } from './demo-call.ts';
import { runningLauncher } from './launcher-record.ts';
import { dataDir as whereDataIs } from './paths.ts';
import { messageOf, Problem } from './problem.ts';
import { readStackFile, type StackFile } from './stack-file.ts';

/**
 * `npm run demo`: the main use case against the running stack. Prints each call as curl, then where to look at the results.
 */

const DELIVERY_MS = 20_000;

const dataDir = whereDataIs();
try {
  const stack = runningLauncher(dataDir) === undefined ? undefined : readStackFile(dataDir);
  if (!stack) throw new Problem('El servicio no está en marcha. Para arrancarlo: npm start');
  await demo(stack);
} catch (error) {
  console.error(`\n${colors.red('✘')} ${messageOf(error)}`);
  process.exitCode = 1;
}

async function demo({ api, inbox, temporalUi, demo: { apiKey } }: StackFile): Promise<void> {
  const ask = <T = unknown>(request: DemoCall) => call<T>({ origin: api, apiKey }, request);
  const sink = `demo-${Date.now().toString(36)}`;

  const { secret } = await ask<{ secret: string }>({
    about: 'Un webhook hacia el sumidero de esta máquina',
    method: 'POST',
    path: '/api/v1/webhooks',
    body: { url: `${api}/dev/sink/${sink}`, events: ['quote.created', 'quote.sent', 'quote.status_changed'] },
  });
  await ask({
    about: 'El sumidero comprueba firmas si conoce el secreto',
    method: 'PUT',
    path: `/dev/sink/${sink}`,
    body: { secret },
  });
  const client = await ask<{ id: string }>({
    about: 'Un cliente',
    method: 'POST',
    path: '/api/v1/clients',
    body: { contactName: 'Laura Méndez', companyName: 'Hotel La Palma', email: 'laura@lapalma.test' },
  });
  const quote = await ask<{ id: string; quoteNumber: number; total: number; currency: string }>({
    about: 'Una cotización para él',
    method: 'POST',
    path: '/api/v1/quotes',
    body: {
      clientId: client.id,
      items: [
        { productName: 'Silla ejecutiva', model: 'SE-200', unitPrice: 1850.5, quantity: 4, discountPct: 10 },
        { productName: 'Instalación por hora', unitPrice: 380, quantity: 3 },
      ],
    },
  });
  const path = `/api/v1/quotes/${quote.id}`;
  await ask({
    about: 'Su PDF por correo; contesta cuando el servidor de correo lo aceptó',
    method: 'POST',
    path: `${path}/share`,
    idempotencyKey: `demo-${quote.id}`,
  });
  const link = await ask<{ url: string }>({
    about: 'El enlace que va en el correo',
    method: 'GET',
    path: `${path}/link`,
  });
  const runs = await ask<readonly { type: string; url: string | null }[]>({
    about: 'Lo que Temporal hizo y hará con ella',
    method: 'GET',
    path: `${path}/runs`,
  });
  const arrived = await deliveries(api, sink);

  const run = runs.find(({ type }) => type === 'quoteLifecycle');
  const rows = [
    ['Cotización', `COT-${quote.quoteNumber} · ${quote.total} ${quote.currency}`],
    ['Página del cliente', link.url],
    ['Bandeja de correo', inbox ?? '(el servidor de SMTP_URL)'],
    ['Temporal', run?.url ?? temporalUi ?? '(el servidor de TEMPORAL_ADDRESS)'],
    ['Sumidero', `${api}/dev/sink/${sink} · ${arrived} avisos, todos con firma válida`],
  ] as const;
  console.log(`\n${rows.map(([name, value]) => `  ${name.padEnd(20)} ${colors.cyan(value)}`).join('\n')}\n`);
  console.log('Acepte la cotización en la página del cliente: el sumidero recibe quote.status_changed.\n');
}

/** The number of received deliveries; waits for those of a created and a sent quote. Throws on a wrong signature. */
async function deliveries(api: string, sink: string): Promise<number> {
  const deadline = Date.now() + DELIVERY_MS;
  for (;;) {
    const answer = await fetch(`${api}/dev/sink/${sink}`, { headers: { Accept: 'application/json' } });
    // The format of our own route in api/dev-sink.
    const { calls } = (await answer.json()) as { calls: readonly { signature: string }[] };
    if (calls.some(({ signature }) => signature !== 'valid'))
      throw new Problem('Llegó un aviso cuya firma no es válida.');
    if (calls.length >= 3) return calls.length;
    if (Date.now() > deadline)
      throw new Problem('Los avisos no llegaron al sumidero. ¿Corre el worker? Mire .data/logs/');
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
}
