import { newId } from '../../db/ids.ts';
import { png } from '../adapters/image-files.ts';
import type { Credential, Response } from '../api/service.ts';
import { type Business, register } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';

/** Fixtures of the page's tests, made over HTTP by the owner. */

export interface Shown {
  readonly business: Business;
  readonly clientId: string;
  readonly clientEmail: string;
  readonly id: string;
  /** The address of its page. */
  readonly url: string;
}

const ITEMS = [
  { productName: 'Silla ejecutiva', model: 'SE-200', quantity: 8, unitPrice: 1850.5, discountPct: 10 },
  { productName: 'Escritorio en L de encino', model: 'EL-180', quantity: 4, unitPrice: 7420 },
  { productName: 'Instalación y traslado a obra', quantity: 1, unitPrice: 2500 },
];

export const NOTES = 'Entrega en 15 días hábiles.\nAnticipo de 50 % para iniciar la producción.';

/** A business on PRO with its logo, colours and bank account. */
export async function business(settings: Record<string, unknown> = {}): Promise<Business> {
  const service = await installation();
  const made = await register(service);
  const body = {
    companyName: 'Muebles Roble',
    email: 'ventas@roble.test',
    phone: '+52 55 5123 4567',
    address: 'Av. Insurgentes Sur 1234, Ciudad de México',
    pdfBranding: { primaryColor: '#1F6F54' },
    ...settings,
  };
  answered(await service.http.request('PUT', '/api/settings', { headers: made.owner, body }), 200);
  return made;
}

let sharing: Promise<Business> | undefined;

/** A business for quotes of many tests, which leave its settings and plan as they are. */
export const sharedBusiness = (): Promise<Business> => (sharing ??= business());

/** Uploads a logo for the business; it is on its pages from then on. */
export async function addLogo({ owner }: Business): Promise<void> {
  const { http } = await installation();
  const body = new FormData();
  const image = await png({ width: 320, height: 96 });
  body.set('logo', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'logo.png');
  const res = await fetch(`${http.url}/api/settings/logo`, { method: 'POST', headers: owner, body });
  if (res.status !== 200) throw new Error(`the logo was refused: ${await res.text()}`);
}

/** A quote that its client may open; not mailed. */
export async function shown(
  of: Business,
  { client = {}, ...fields }: { client?: Record<string, unknown> } & Record<string, unknown> = {},
): Promise<Shown> {
  const { http } = await installation();
  const made = await draft(of, { client, ...fields });
  answered(await http.patch(`/api/quotes/${made.id}/status`, { status: 'SENT' }, of.owner), 200);
  return made;
}

/** A draft. */
export async function draft(
  of: Business,
  { client = {}, ...fields }: { client?: Record<string, unknown> } & Record<string, unknown> = {},
): Promise<Shown> {
  const { http } = await installation();
  const { owner } = of;
  const clientEmail = `${newId()}@cliente.test`;
  const person = { contactName: 'Laura Méndez', companyName: 'Hotel La Palma', email: clientEmail, ...client };
  const { id: clientId } = answered(await http.post('/api/clients', person, owner), 201);
  const given = { items: ITEMS, notes: NOTES, shippingCost: 650, ...fields, clientId };
  const { id } = answered(await http.post('/api/quotes', given, owner), 201);
  const { url } = answered(await http.get(`/api/quotes/${id}/link`, owner), 200);
  return { business: of, clientId, clientEmail, id, url };
}

/** Revises the quote while a client has it open. */
export async function revise({ id, clientId, business: { owner } }: Shown): Promise<void> {
  const { http } = await installation();
  const items = [...ITEMS, { productName: 'Lámpara de pie', quantity: 2, unitPrice: 980 }];
  answered(await http.post(`/api/quotes/${id}/revise`, { clientId, items }, owner), 200);
}

/** Makes the quote expire now. */
export async function lapse(service: Installation, { id }: Shown): Promise<void> {
  await service.rows("update quotes set expires_at = now() - interval '1 second' where id = $1", id);
}

export async function statusOf({ id, business: { owner } }: Shown): Promise<string> {
  const { http } = await installation();
  return answered(await http.get(`/api/quotes/${id}`, owner), 200).status;
}

/** How many signatures the quote has, and its status events after it was sent. */
export async function recorded(service: Installation, { id }: Shown) {
  const [row] = await service.rows(
    `select (select count(*)::int from signatures where quote_id = $1) as signatures,
            (select count(*)::int from audit_logs where entity_id = $1 and actor = 'portal') as entries,
            (select count(*)::int - 1 from outbox_events where quote_id = $1 and type = 'quote.status_changed') as events`,
    id,
  );
  return row;
}

/** The owner's notifications of one type. */
export async function notificationsOf(owner: Credential, type: string): Promise<readonly Record<string, unknown>[]> {
  const { http } = await installation();
  const { data } = answered(await http.get('/api/notifications', owner), 200);
  return (data as Record<string, unknown>[]).filter((each) => each['type'] === type);
}

function answered({ status, body }: Response, expected: number) {
  if (status !== expected) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
