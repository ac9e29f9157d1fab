import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Tenant } from './ledger.ts';

/** What one call brought, checked on arrival. */
export interface Receipt {
  /** The time of arrival, as of Date.now(). */
  readonly at: number;
  readonly eventId: string;
  readonly deliveryId: string;
  /** Both signatures are valid. */
  readonly signed: boolean;
  /** The difference between the call's own time and ours, in seconds. */
  readonly skew: number;
  readonly foreign: boolean;
}

export interface Receivers extends AsyncDisposable {
  urlFor(index: number): string;
  /** Returns the business whose calls come under its index. */
  expect(tenant: Tenant): void;
  receiptsOf(tenant: Tenant): readonly Receipt[];
}

/** The endpoints of all businesses, on loopback; they record what they receive and answer 200. */
export async function startReceivers(): Promise<Receivers> {
  const tenants = new Map<number, Tenant>();
  const receipts = new Map<number, Receipt[]>();
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const index = Number(/^\/(\d+)$/.exec(req.url ?? '')?.[1]);
      const tenant = tenants.get(index);
      const body = Buffer.concat(chunks).toString('utf8');
      if (tenant) receipts.get(index)?.push(check(tenant, req.headers, body, [...tenants.values()]));
      res.end('ok');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The port is known once the server listens.
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (index) => `http://127.0.0.1:${port}/${index}`,
    expect(tenant) {
      tenants.set(tenant.index, tenant);
      receipts.set(tenant.index, []);
    },
    receiptsOf: ({ index }) => receipts.get(index) ?? [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function check(
  tenant: Tenant,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  all: readonly Tenant[],
): Receipt {
  const header = (name: string) => String(headers[name] ?? '');
  const hex = createHmac('sha256', tenant.webhookSecret).update(body).digest('hex');
  return {
    at: Date.now(),
    eventId: header('webhook-id'),
    deliveryId: header('x-service-delivery'),
    signed: header('x-service-signature') === hex && standard(tenant, headers, body),
    skew: Math.abs(Date.now() / 1000 - Number(header('webhook-timestamp'))),
    foreign: all.some((other) => other !== tenant && body.includes(other.canary)),
  };
}

function standard(tenant: Tenant, headers: Readonly<Record<string, unknown>>, body: string): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  try {
    new Webhook(tenant.webhookSecret).verify(
      body,
      Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    );
    return true;
  } catch {
    return false;
  }
}
