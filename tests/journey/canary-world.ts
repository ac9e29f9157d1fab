import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import sharp from 'sharp';
import { newId } from '../../db/ids.ts';
import { cookieOf } from '../api/build.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import type { Credential, Response } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { install, type Installation } from '../installation.ts';

/** Secrets that a person types or is shown once; different for each business. */
export type Secrets = {
  readonly password: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly hookToken: string;
  readonly publicToken: string;
  readonly clabe: string;
  /** A part of the drawn signature, as sent. */
  readonly signature: string;
  readonly session: string;
  readonly idempotencyKey: string;
};

/** A business whose every text contains its own word, and that used every feature with output. */
export interface MarkedBusiness {
  readonly word: string;
  readonly owner: Credential;
  readonly quoteId: string;
  /** Ids of its records. */
  readonly ids: readonly string[];
  readonly secrets: Secrets;
  readonly receiver: Receiver;
}

let installing: Promise<Installation> | undefined;

/** An installation whose processes log at level trace. */
export const talkative = (): Promise<Installation> => (installing ??= install({ settings: { LOG_LEVEL: 'trace' } }));

let making: Promise<readonly MarkedBusiness[]> | undefined;

/** Three businesses that differ only in their words; created once. */
export const markedBusinesses = (): Promise<readonly MarkedBusiness[]> =>
  (making ??= (async () => {
    const service = await talkative();
    return Promise.all([live(service), live(service), live(service)]);
  })());

// A root hook: this module is loaded while Mocha collects the tests, outside of any describe.
after(async () => {
  const businesses = (await making?.catch(() => undefined)) ?? [];
  for (const business of businesses) await business.receiver[Symbol.asyncDispose]();
  await (await installing)?.remove();
});

/** From registration to the last effect of a signature. */
async function live(service: Installation): Promise<MarkedBusiness> {
  const { http } = service;
  const word = `canario${newId()}`;
  const hookToken = `gancho-${newId()}`;
  const password = `frase ${newId()}`;
  const listening = await receiver();
  const url = `${listening.url}/${word}`;

  const registration = {
    businessName: `Muebles ${word}`,
    name: `Dueña ${word}`,
    email: `${word}@dueno.test`,
    password,
  };
  const registered = made(await http.post('/api/auth/register', registration), '/api/auth/register');
  const owner = cookieOf(registered.headers);
  const post = async (path: string, body?: unknown, headers: Credential = {}) =>
    made(await http.post(path, body, { ...owner, ...headers }), path).body;

  const clabe = `0321800${String(Math.random()).slice(2, 13).padEnd(11, '7')}`;
  await http.request('PUT', '/api/settings', {
    headers: owner,
    body: {
      companyName: `Muebles ${word}`,
      address: `Calle ${word}`,
      email: `${word}@negocio.test`,
      bankInfo: { bankName: `Banco ${word}`, clabe },
      pdfBranding: { footerText: `Pie ${word}` },
    },
  });
  const key = await post('/api/api-keys', { name: `Clave ${word}` });
  const webhook = await post('/api/webhooks', {
    url,
    events: SUBSCRIBABLE_EVENTS,
  });
  await post('/api/automations', {
    name: `Aceptada ${word}`,
    trigger: 'QUOTE_ACCEPTED',
    actions: [
      { type: 'send_email', to: 'client', subject: `Gracias ${word}`, body: `Gracias {{client.contactName}} ${word}` },
      { type: 'send_email', to: 'owner', subject: `Aviso ${word}`, body: word },
      { type: 'send_notification', title: `Aceptada ${word}`, body: word },
      { type: 'create_reminder', delayMinutes: 0, message: `Llamar ${word}` },
      { type: 'fire_webhook', url, includeItems: true, headers: { 'X-Token': hookToken } },
    ],
  });
  const client = await post('/api/clients', {
    contactName: `Laura ${word}`,
    companyName: `La Palma ${word}`,
    email: `${word}@cliente.test`,
    phone: '+52 55 1234 5678',
    address: `Avenida ${word}`,
    notes: word,
    contacts: [{ name: `Luis ${word}`, email: `${word}@copia.test`, phone: null, role: word }],
  });
  await post('/api/products', { name: `Silla ${word}`, unitPrice: 100 });
  const items = [{ productName: `Silla ${word}`, model: `M-${word}`, quantity: 2, unitPrice: 100 }];
  const idempotencyKey = newId();
  const quote = await post('/api/quotes', { clientId: client.id, items, notes: `Notas ${word}` }, {
    'Idempotency-Key': idempotencyKey,
  }); // prettier-ignore
  // On a busy machine the first response may be "still running"; another call joins it.
  const recipients = { to: [client.email], cc: [`${word}@copia.test`], message: `Mensaje ${word}` };
  await eventually(() => post(`/api/quotes/${quote.id}/share`, recipients));
  const signature = await drawn();
  await http.get(`/p/${quote.publicToken}`, { 'User-Agent': `Mozilla/5.0 ${word}` });
  const wish = { message: `Cambiar ${word}`, version: 1, name: `Laura ${word}`, email: `${word}@otro.test` };
  made(await http.post(`/api/portal/${quote.publicToken}/request-changes`, wish), 'request-changes');
  await post(`/api/quotes/${quote.id}/messages`, { body: `Con gusto ${word}` });
  const accept = () =>
    http.post(`/api/portal/${quote.publicToken}/accept`, {
      signerName: `Laura ${word}`,
      signerEmail: `${word}@cliente.test`,
      version: 1,
      signature: { type: 'drawn', data: signature },
    });
  await eventually(async () => made(await accept(), 'accept'));
  await post('/api/collaborators', { name: `Carlos ${word}`, email: `${word}@colaborador.test` });
  await http.post('/api/auth/forgot-password', { email: registration.email });

  const { tenantId, id: userId } = registered.body.user;
  await eventually(async () => {
    const [open] = await service.rows(
      `select (select count(*)::int from automation_logs where tenant_id = $1 and status = 'COMPLETED') as runs,
                (select count(*)::int from webhook_deliveries where tenant_id = $1 and status = 'PENDING') as waiting,
                (select count(*)::int from mails where tenant_id = $1 and status = 'SENT') as mails,
                (select count(*)::int from reminders where tenant_id = $1 and status = 'FIRED') as reminded`,
      tenantId,
    );
    const expected = JSON.stringify({ runs: 1, waiting: 0, mails: 7, reminded: 1 });
    if (JSON.stringify(open) !== expected) throw new Error(`not done yet: ${JSON.stringify(open)}`);
  });
  const [, session = ''] = (owner['Cookie'] ?? '').split('=');
  return {
    word,
    owner,
    quoteId: quote.id,
    ids: [tenantId, userId, client.id, quote.id, webhook.id, key.id],
    secrets: {
      password,
      apiKey: key.key,
      webhookSecret: webhook.secret,
      hookToken,
      publicToken: quote.publicToken,
      clabe,
      signature: signature.slice(60, 140),
      session,
      idempotencyKey,
    },
    receiver: listening,
  };
}

/** A unique drawn signature, as a data URL. */
async function drawn(): Promise<string> {
  const path = Array.from({ length: 12 }, () => `${Math.round(Math.random() * 300)},${Math.round(Math.random() * 90)}`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"><polyline fill="none" stroke="black" points="${path.join(' ')}"/></svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

function made(res: Response, what: string): Response {
  if (res.status >= 300) throw new Error(`${what}: ${res.status} ${JSON.stringify(res.body)}`);
  return res;
}
