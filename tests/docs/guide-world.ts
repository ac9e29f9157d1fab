import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayOf } from '../../domain/zone.ts';
import * as build from '../api/build.ts';
import { pdf } from '../api/attachment-files.ts';
import { type Credential, devService, type Response, type Service } from '../api/service.ts';
import type { Environment } from './guide-session.ts';

/** What the examples of guides find: a business with some records, and the variables that the guides name. */
export interface World {
  readonly app: Service;
  readonly business: build.Business;
  readonly as: Credential;
  readonly env: Environment;
  readonly get: (path: string) => Promise<Response>;
}

let starting: Promise<Service> | undefined;
const files = mkdtempSync(join(tmpdir(), 'quoting-guide-files-'));

/** A new business for one session. */
export async function guideWorld(): Promise<World> {
  const app = await (starting ??= devService());
  const business = await build.business();
  const { body: created } = await app.post('/api/api-keys', { name: 'Guías' }, business.owner);
  const as = { Authorization: `Bearer ${created.key}` };
  const client = await build.client(as, { companyName: 'Hotel La Palma', email: 'laura@lapalma.test' });
  const quote = await build.quote(as, { clientId: client.id });
  const template = await app.post('/api/templates', { name: 'Oficina', items: [build.ITEM] }, as);
  const day = (ahead: number) => dayOf(new Date(Date.now() + ahead * 86_400_000), 'America/Mexico_City');
  const sink = `/dev/sink/${randomUUID()}`;
  // The quick start names its sink; another session may have used it.
  await app.request('DELETE', '/dev/sink/first');
  return {
    app,
    business,
    as,
    get: (path) => app.get(path, as),
    env: {
      QUOTING_URL: app.url,
      QUOTING_API_KEY: created.key,
      CLIENT_ID: client.id,
      QUOTE_ID: quote.id,
      PUBLIC_TOKEN: quote.publicToken,
      TEMPLATE_ID: template.body.id,
      ENDPOINT_URL: app.url + sink,
      ORDER_NUMBER: '2041',
      VALID_UNTIL: day(30),
      DAY: day(0),
      UPDATED_SINCE: `${day(-2)}T00:00:00Z`,
      CONTRACT_PDF: written('contrato.pdf', pdf()),
      CLIENTS_CSV: written(
        'clients.csv',
        'contactName,email\nÓscar Núñez,oscar@nunez.test\nElena Godínez,elena@godinez.test\n',
      ),
    },
  };
}

function written(name: string, content: string | Buffer): string {
  const path = join(files, name);
  writeFileSync(path, content);
  return path;
}
