import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { png } from '../adapters/image-files.ts';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { newId } from '../../db/ids.ts';
import { ApiKey } from '../../db/models/api-key.ts';
import { AutomationLog } from '../../db/models/automation-log.ts';
import { Session } from '../../db/models/session.ts';
import { User } from '../../db/models/user.ts';
import { WebhookDelivery } from '../../db/models/webhook-delivery.ts';
import { needs } from '../stack.ts';
import { attach, form, pdf } from './attachment-files.ts';
import * as build from './build.ts';
import { type Credential, service } from './service.ts';

// Its quotes have attachments.
needs('storage');

/**
 * Similar businesses (same names, same quote numbers) that each have one record of every kind, marked with a unique
 * word, so that leaks into responses for another business are detected.
 */
export interface World {
  readonly tenantId: string;
  /** The owner's credentials: a session, a key of the scope `full` and one of the scope `read`. */
  readonly owner: { readonly cookie: Credential; readonly key: Credential; readonly readKey: Credential };
  readonly collaborator: Credential;
  /** Credentials that are no longer valid. */
  readonly dead: {
    readonly expiredSession: Credential;
    readonly revokedKey: Credential;
    readonly expiredKey: Credential;
    readonly deactivated: Credential;
    /** What a sign-in with address and password gets whose second factor is due. */
    readonly withoutSecondFactor: Credential;
  };
  /** One id per path parameter, by the path segment before it. */
  readonly ids: Readonly<Record<Parameter, string>>;
  /** Ids of the collaborator's own records. */
  readonly collaboratorIds: Readonly<Record<'quotes/:id' | 'attachments/:attachmentId' | 'notifications/:id', string>>;
  /** The words and ids that no other business may read. */
  readonly canaries: readonly string[];
}

/** The record of each parameter, and its 404. */
export const PARAMETERS = {
  'quotes/:id': 'Cotización no encontrada',
  'attachments/:attachmentId': 'Archivo no encontrado',
  'clients/:id': 'Cliente no encontrado',
  'products/:id': 'Producto no encontrado',
  'imports/:id': 'Importación no encontrada',
  'labels/:id': 'Etiqueta no encontrada',
  'labels/:labelId': 'Etiqueta no encontrada',
  'templates/:id': 'Plantilla no encontrada',
  'automations/:id': 'Automatización no encontrada',
  'webhooks/:id': 'Webhook no encontrado',
  'deliveries/:deliveryId': 'Entrega no encontrada',
  'hooks/:id': 'Webhook no encontrado',
  'notifications/:id': 'No encontrada',
  'api-keys/:id': 'Clave no encontrada',
  'sessions/:id': 'Sesión no encontrada',
  'collaborators/:id': 'Colaborador no encontrado',
} as const;
export type Parameter = keyof typeof PARAMETERS;

/** Members of sample bodies that reference records of the caller's business. */
const NAMED: Readonly<Record<string, Parameter>> = {
  clientId: 'clients/:id',
  quoteId: 'quotes/:id',
  templateId: 'templates/:id',
  labelId: 'labels/:id',
  toUserId: 'collaborators/:id',
};

export async function world({
  plan,
  isVerified = true,
}: {
  plan: 'PRO' | 'FREE';
  isVerified?: boolean;
}): Promise<World> {
  const app = await service();
  const business = await build.business();
  const { tenantId, owner } = business;
  const word = `canario${newId()}`;
  const made = async (path: string, body: unknown, as: Credential = owner): Promise<{ id: string }> => {
    const res = await app.post(path, body, as);
    if (res.status !== 201) throw new Error(`POST ${path}: ${res.status} ${JSON.stringify(res.body)}`);
    return res.body;
  };

  const logo = new FormData();
  logo.set('logo', new Blob([new Uint8Array(await png({ width: 9, height: 9 }))]), 'logo.png');
  await app.request('POST', '/api/settings/logo', { headers: owner, body: logo });
  await app.request('PUT', '/api/settings', { headers: owner, body: { address: word, email: `${word}@negocio.test` } });
  const ownerKey = await keyFor(tenantId, business.userId);
  const readKey = await keyFor(tenantId, business.userId, 'read');
  const carlos = await build.member(business);
  const leaver = await build.member(business);
  const other = await build.member(business);

  // Without an address, so that nothing is mailed.
  const client = await made('/api/clients', { contactName: 'Laura Méndez', companyName: 'La Palma', address: word });
  const product = await made('/api/products', { name: 'Silla', description: word, unitPrice: 100 });
  const label = await made('/api/labels', { name: `Urgente ${word}`.slice(0, 50) });
  const item = { productName: 'Silla', model: word, unitPrice: 100, quantity: 2 };
  const quote = await made('/api/quotes', { clientId: client.id, items: [item], notes: word });
  const ownQuote = await made('/api/quotes', { clientId: client.id, items: [item], notes: word }, carlos.as);
  await app.post(`/api/quotes/${quote.id}/labels/${label.id}`, undefined, owner);
  const attachedBy = async (as: Credential, quoteId: string): Promise<string> => {
    const { status, body } = await attach(app, as, quoteId, form(pdf({ mark: word }), `${word}.pdf`));
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const [attached, ownAttached] = [await attachedBy(owner, quote.id), await attachedBy(carlos.as, ownQuote.id)];
  const template = await made('/api/templates', { name: 'Básica', description: word, items: [item] });
  const automation = await made('/api/automations', {
    name: 'Avisar',
    trigger: 'QUOTE_CREATED',
    actions: [{ type: 'send_notification', title: 'Nueva', body: word }],
  });
  const webhook = await made('/api/webhooks', { url: `http://127.0.0.1:9/${word}`, events: ['quote.created'] });
  const hook = await made('/api/connector/hooks', { targetUrl: `http://127.0.0.1:9/${word}`, event: 'quote.created' });
  const notification = await build.notification(business, { body: word });
  const ownNotification = await build.notification({ tenantId, userId: carlos.userId }, { body: word });
  await build.reminder(business, quote.id, { message: word });
  const deliveryId = newId();
  await app.deps.withTenant(tenantId, async (trx) => {
    const ids = { tenantId, eventId: newId() };
    const payload = JSON.stringify({ event: 'quote.created', timestamp: new Date().toISOString(), data: { word } });
    await WebhookDelivery.query(trx).insert({
      ...ids,
      id: deliveryId,
      webhookId: webhook.id,
      event: 'quote.created',
      payload,
    });
    const run = { automationId: automation.id, quoteId: quote.id, conditions: '[]', actions: '[]', delayMinutes: 0 };
    await AutomationLog.query(trx).insert({
      ...ids,
      ...run,
      id: newId(),
      status: 'FAILED',
      error: word,
      completedAt: new Date(),
    });
  });
  const spareKey = await keyFor(tenantId, business.userId);
  const dead = await deadCredentials(business);
  if (plan === 'FREE') await build.patchTenant(business, { plan });
  if (!isVerified) await build.patchTenant(business, { isVerified });

  return {
    tenantId,
    owner: { cookie: owner, key: ownerKey.as, readKey: readKey.as },
    collaborator: carlos.as,
    dead,
    ids: {
      'quotes/:id': quote.id,
      'attachments/:attachmentId': attached,
      'clients/:id': client.id,
      'products/:id': product.id,
      'imports/:id': await build.importRow(business),
      'labels/:id': label.id,
      'labels/:labelId': label.id,
      'templates/:id': template.id,
      'automations/:id': automation.id,
      'webhooks/:id': webhook.id,
      'deliveries/:deliveryId': deliveryId,
      'hooks/:id': hook.id,
      'notifications/:id': notification.id,
      'api-keys/:id': spareKey.id,
      'sessions/:id': await build.session(business),
      'collaborators/:id': leaver.userId,
    },
    collaboratorIds: {
      'quotes/:id': ownQuote.id,
      'attachments/:attachmentId': ownAttached,
      'notifications/:id': ownNotification.id,
    },
    canaries: [word, tenantId, business.email, other.userId, ...(await allIds(tenantId))],
  };
}

async function deadCredentials({ tenantId, userId, email }: build.Business): Promise<World['dead']> {
  const app = await service();
  const signedIn = await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });
  const deactivated = await build.member({ tenantId, userId, email, owner: {} });
  const [revoked, expired] = [await keyFor(tenantId, userId), await keyFor(tenantId, userId)];
  await app.deps.withTenant(tenantId, async (trx) => {
    const newest = await Session.query(trx).where({ tenantId }).orderBy('createdAt', 'desc').first().throwIfNotFound();
    await Session.query(trx)
      .findOne({ tenantId, id: newest.id })
      .patch({ expiresAt: new Date(Date.now() - 1_000) });
    await User.query(trx).findOne({ tenantId, id: deactivated.userId }).patch({ isActive: false });
    await ApiKey.query(trx).findOne({ tenantId, id: revoked.id }).patch({ revokedAt: new Date() });
    await ApiKey.query(trx)
      .findOne({ tenantId, id: expired.id })
      .patch({ expiresAt: new Date(Date.now() - 1_000) });
  });
  return {
    expiredSession: build.cookieOf(signedIn.headers),
    revokedKey: revoked.as,
    expiredKey: expired.as,
    deactivated: deactivated.as,
    withoutSecondFactor: await withoutSecondFactor(),
  };
}

async function withoutSecondFactor(): Promise<Credential> {
  const app = await service();
  const { owner, email } = await build.business();
  const password = build.PASSWORD;
  const { secret } = (await app.post('/api/auth/two-factor/setup', { password }, owner)).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const enabled = await app.post('/api/auth/two-factor/enable', { password, code }, owner);
  const { status, headers } = await app.post('/api/auth/callback/credentials', { email, password });
  assert.deepEqual([enabled.status, status], [200, 401]);
  return { Cookie: headers.getSetCookie().join('; ') };
}

async function keyFor(
  tenantId: string,
  userId: string,
  scope: 'full' | 'read' = 'full',
): Promise<{ id: string; as: Credential }> {
  const { deps } = await service();
  const id = newId();
  const { key, hash, prefix, last4 } = newApiKey();
  await deps.withTenant(tenantId, (trx) =>
    ApiKey.query(trx).insert({ id, tenantId, userId, name: 'otra', hash, prefix, last4, scope }),
  );
  return { id, as: { Authorization: `Bearer ${key}` } };
}

/** All rows of the business in all readable tables, as JSON. */
export async function allRows(tenantId: string): Promise<readonly string[]> {
  const { deps } = await service();
  return deps.withTenant(tenantId, async (trx) => {
    const { rows: tables } = await trx.raw<{ rows: { name: string }[] }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'tenant_id'
          and has_table_privilege(c.oid, 'select') order by 1`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await trx.raw<{ rows: { text: string }[] }>(
        'select ? || to_jsonb(t)::text as text from ?? t where tenant_id = ? order by 1',
        [`${name} `, name, tenantId],
      );
      texts.push(...rows.map(({ text }) => text));
    }
    return texts;
  });
}

/** Like `rowsOf`, without the last use of keys, which any request may change. */
export const effectsIn = async ({ tenantId }: World): Promise<readonly string[]> =>
  (await allRows(tenantId)).map((text) => text.replace(/"last_used_(at|ip)": [^,}]+/g, ''));

const allIds = async (tenantId: string): Promise<readonly string[]> =>
  (await allRows(tenantId)).flatMap((text) => /"id": "(c[a-z0-9]{24})"/.exec(text)?.[1] ?? []);

/** The sample with ids of the business in members that reference records. */
export function withIds(value: unknown, ids: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'productId')
      .map(([key, member]) => {
        if (key === 'attachmentIds') return [key, [ids['attachments/:attachmentId']]];
        const parameter = NAMED[key];
        return [key, parameter ? ids[parameter] : withIds(member, ids)];
      }),
  );
}
