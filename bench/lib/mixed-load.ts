import { drawing } from './documents.ts';
import { post } from './business.ts';

/** Callers of one business who do everything that people and clients do all day, until they are stopped. */

export interface MixedLoad {
  /** Requests that were answered so far. */
  readonly done: () => number;
  readonly stop: () => Promise<void>;
}

const CALLERS = 8;
const WEBHOOK_EVENTS = ['quote.created', 'quote.sent', 'quote.status_changed', 'client.created'];
const CREATED = { client: { contactName: 'María Pérez', email: 'maria@example.com' } };

export async function startMixedLoad(
  url: string,
  { cookie, sinkUrl }: { readonly cookie: string; readonly sinkUrl: string },
): Promise<MixedLoad> {
  await post(`${url}/api/webhooks`, cookie, { url: sinkUrl, events: WEBHOOK_EVENTS });
  const { id: clientId } = await post<{ id: string }>(`${url}/api/clients`, cookie, CREATED.client);
  const items = drawing(10).lines.map(({ productName, unitPrice, quantity }) => ({
    productName,
    unitPrice: Number(unitPrice),
    quantity,
  }));
  let stopping = false;
  let done = 0;

  async function read(path: string): Promise<void> {
    const res = await fetch(url + path, { headers: { cookie } });
    await res.arrayBuffer();
    if (!res.ok) throw new Error(`${path} answered ${res.status}`);
    done += 1;
  }

  /** On a busy machine a share may still be pending after its nine seconds. */
  async function share(id: string): Promise<void> {
    const res = await fetch(`${url}/api/quotes/${id}/share`, { method: 'POST', headers: { cookie } });
    await res.arrayBuffer();
    if (!res.ok && res.status !== 503) throw new Error(`a share answered ${res.status}`);
  }

  /** The API refuses a business's exports while several are running. */
  async function exportAll(): Promise<void> {
    const res = await fetch(`${url}/api/quotes/export.csv`, { headers: { cookie } });
    await res.arrayBuffer();
    if (!res.ok && res.status !== 429) throw new Error(`an export answered ${res.status}`);
    done += 1;
  }

  async function visit(): Promise<void> {
    const { id } = await post<{ id: string }>(`${url}/api/quotes`, cookie, { clientId, items });
    // The worker renders it, and mails it to the embedded inbox.
    await share(id);
    const { url: link } = await post<{ url: string }>(`${url}/api/quotes/${id}/share`, cookie, { channel: 'link' });
    done += 3;
    await read('/api/quotes');
    await read(`/api/quotes/${id}`);
    await read(`/api/quotes/${id}/pdf`);
    await read(new URL(link).pathname);
    await read('/app/quotes');
    await read('/api/quotes?search=mar%C3%ADa');
    await read('/api/dashboard');
    await exportAll();
    await read('/docs');
  }

  const callers = Array.from({ length: CALLERS }, async () => {
    while (!stopping) await visit();
  });
  const all = Promise.all(callers);
  // Awaited in stop(), which may be minutes later.
  all.catch(() => undefined);
  return {
    done: () => done,
    async stop() {
      stopping = true;
      await all;
    },
  };
}
