import sharp from 'sharp';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { newId } from '../../db/ids.ts';
import { ApiKey } from '../../db/models/api-key.ts';
import { Import } from '../../db/models/import.ts';
import { Notification } from '../../db/models/notification.ts';
import { Product } from '../../db/models/product.ts';
import { Quote } from '../../db/models/quote.ts';
import { Reminder } from '../../db/models/reminder.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { User } from '../../db/models/user.ts';
import { openSession } from '../../api/auth/sign-in.ts';
import { registerTenant } from '../../db/writes/register-tenant.ts';
import { startSession } from '../../db/writes/sessions.ts';
import type { Plan } from '../../domain/plans.ts';
import type { Role } from '../../domain/permissions.ts';
import { type Credential, service } from './service.ts';

/** Fixtures. Each test creates its own business, so that tests do not interfere. */

export interface Business {
  readonly tenantId: string;
  readonly userId: string;
  readonly email: string;
  /** The owner's session. */
  readonly owner: Credential;
}

export const PASSWORD = 'una frase larga';

let hashing: Promise<string> | undefined;

/**
 * Creates a business as a registration does, and returns its signed-in owner. Not over HTTP: hashing a password for each
 * business would cost most of the CPU time of the tests.
 */
export async function business({ plan = 'PRO', ...tenant }: { plan?: Plan } & Partial<Tenant> = {}): Promise<Business> {
  const { deps } = await service();
  const passwordHash = await (hashing ??= deps.passwords.hash(PASSWORD, { key: 'tests' }));
  const tenantId = newId();
  const email = `${newId()}@dueno.test`;
  const requestId = newId();
  const source = { ip: '127.0.0.1', userAgent: 'prueba', signal: new AbortController().signal };
  return deps.withTenant(tenantId, async (trx) => {
    const user = await registerTenant(trx, {
      tenantId,
      businessName: 'Acme',
      plan,
      isVerified: true,
      owner: { name: 'Diana', email, passwordHash },
      by: { kind: 'user', requestId },
    });
    const { session } = await openSession(deps, trx, { user, status: 201, requestId, ...source });
    if (Object.keys(tenant).length > 0) await Tenant.query(trx).findById(tenantId).patch(tenant);
    const token = typeof session === 'object' ? session.token : '';
    return { tenantId, userId: user.id, email, owner: { Cookie: `${deps.cookies.name}=${token}` } };
  });
}

/** The session cookie of a response as a request header. */
export function cookieOf(headers: Headers): Credential {
  const [pair] = headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return { Cookie: pair ?? '' };
}

/** A further session of the owner; returns its id. */
export async function session({ tenantId, userId }: Business): Promise<string> {
  const { deps } = await service();
  const source = { ip: '127.0.0.1', userAgent: 'prueba' };
  const { id } = await deps.withTenant(tenantId, (trx) => startSession(trx, { tenantId, id: userId }, source));
  return id;
}

/** Another user of the business, with an API key. */
export async function member(
  { tenantId }: Business,
  { role = 'COLLABORATOR' }: { role?: Role } = {},
): Promise<{ userId: string; as: Credential }> {
  const { deps } = await service();
  const userId = newId();
  const as = await deps.withTenant(tenantId, async (trx) => {
    const email = `${userId}@colaborador.test`;
    await User.query(trx).insert({ id: userId, tenantId, email, name: 'Carlos', role, isActive: true });
    const { key, hash, prefix, last4 } = newApiKey();
    await ApiKey.query(trx).insert({ id: newId(), tenantId, userId, name: 'prueba', hash, prefix, last4 });
    return { Authorization: `Bearer ${key}` };
  });
  return { userId, as };
}

/** A client of the business; `email: null` for one without an address. */
export async function client(
  as: Credential,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; email: string }> {
  const app = await service();
  const email = `${newId()}@cliente.test`;
  const res = await app.post(
    '/api/clients',
    { contactName: 'Laura Méndez', companyName: 'La Palma', email, ...fields },
    as,
  );
  if (res.status !== 201) throw new Error(`client was not created: ${JSON.stringify(res.body)}`);
  return res.body;
}

export const ITEM = { productName: 'Silla', unitPrice: 100, quantity: 2 } as const;

/** The members of a line in responses that were added to the specified ones. */
export const ADDED_TO_ITEM = {
  description: null,
  section: null,
  unit: null,
  taxes: null,
  optional: false,
  choice: null,
  selected: false,
  counts: true,
} as const;

/** A GENERATED quote of the business: the response of POST. */
export async function quote(as: Credential, fields: Record<string, unknown> = {}) {
  const app = await service();
  const clientId = fields['clientId'] ?? (await client(as)).id;
  const res = await app.post('/api/quotes', { items: [ITEM], ...fields, clientId }, as);
  if (res.status !== 201) throw new Error(`quote was not created: ${JSON.stringify(res.body)}`);
  return res.body as { id: string; quoteNumber: number; publicToken: string; client: { id: string; email: string } };
}

/** A product of the business. */
export async function product({ tenantId }: Business, fields: Partial<Product> = {}): Promise<{ id: string }> {
  const { deps } = await service();
  const id = newId();
  await deps.withTenant(tenantId, (trx) =>
    Product.query(trx).insert({
      id,
      tenantId,
      name: 'Escritorio',
      modelSku: 'ES-1',
      unitPrice: '100',
      currency: 'MXN',
      ...fields,
    }),
  );
  return { id };
}

/** Sets columns of a quote that no request can set. */
export async function patchQuote(
  { tenantId }: Business,
  id: string,
  columns: Partial<Pick<Quote, 'status' | 'expiresAt' | 'createdAt' | 'clientId' | 'linkWithheld'>>,
): Promise<void> {
  const { deps } = await service();
  await deps.withTenant(tenantId, (trx) => Quote.query(trx).findOne({ tenantId, id }).patch(columns));
}

/** Sets columns of a business directly. */
export async function patchTenant({ tenantId }: Business, columns: Partial<Tenant>): Promise<void> {
  const { deps } = await service();
  await deps.withTenant(tenantId, (trx) => Tenant.query(trx).findById(tenantId).patch(columns));
}

/** A notification for a member of the business. */
export async function notification(
  { tenantId, userId }: Pick<Business, 'tenantId' | 'userId'>,
  fields: Partial<Notification> = {},
): Promise<{ id: string }> {
  const { deps } = await service();
  const id = newId();
  const row = { id, tenantId, userId, title: 'Cotización ganada', body: 'COT-1', eventId: newId() };
  await deps.withTenant(tenantId, (trx) => Notification.query(trx).insert({ ...row, type: 'quote_won', ...fields }));
  return { id };
}

/** A reminder of a quote, for its creator. */
export async function reminder(
  { tenantId, userId }: Pick<Business, 'tenantId' | 'userId'>,
  quoteId: string,
  fields: Partial<Reminder> = {},
): Promise<{ id: string }> {
  const { deps } = await service();
  const id = newId();
  const row = { id, tenantId, userId, quoteId, message: 'Llamar', dueAt: new Date(Date.now() + 3_600_000) };
  await deps.withTenant(tenantId, (trx) => Reminder.query(trx).insert({ ...row, ...fields }));
  return { id };
}

/** A SENT quote with the paths of its page and its portal API. */
export async function sentQuote(business: Business, fields: Record<string, unknown> = {}) {
  const made = await quote(business.owner, fields);
  await patchQuote(business, made.id, { status: 'SENT' });
  return { ...made, page: `/p/${made.publicToken}`, portal: `/api/portal/${made.publicToken}` };
}

export const SIGNER = { signerName: 'Laura Méndez', signerEmail: 'laura@cliente.test', version: 1 } as const;

/** A drawn signature, as the page submits it. */
export const signatureUrl = async (kind: 'png' | 'jpeg' = 'png'): Promise<string> => {
  const line =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="150"><path d="M40 90q60-90 110 0t160-30" stroke="#14213d" stroke-width="4" fill="none"/></svg>';
  const image = await sharp(Buffer.from(line)).flatten({ background: '#fff' }).toFormat(kind).toBuffer();
  return `data:image/${kind};base64,${image.toString('base64')}`;
};

/** The row of an import that has ended. */
export async function importRow({ tenantId, userId }: Pick<Business, 'tenantId' | 'userId'>): Promise<string> {
  const { deps } = await service();
  const id = newId();
  await deps.withTenant(tenantId, (trx) =>
    Import.query(trx).insert({
      id,
      tenantId,
      userId,
      actor: 'user',
      requestId: newId(),
      kind: 'clients',
      status: 'COMPLETED',
      isDryRun: false,
      onDuplicate: 'error',
      total: 1,
      done: 1,
      created: 1,
      completedAt: new Date(),
    }),
  );
  return id;
}
