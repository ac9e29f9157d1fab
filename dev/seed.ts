import { createHmac } from 'node:crypto';
import { newApiKey } from '../adapters/crypto/api-keys.ts';
import { createPasswords } from '../adapters/crypto/passwords.ts';
import { connect } from '../db/database.ts';
import { newId } from '../db/ids.ts';
import { ApiKey } from '../db/models/api-key.ts';
import { Client } from '../db/models/client.ts';
import { Product } from '../db/models/product.ts';
import { Tenant } from '../db/models/tenant.ts';
import { createLookups } from '../db/reads/lookups.ts';
import { registerTenant } from '../db/writes/register-tenant.ts';
import { createWithTenant, type TenantTransaction } from '../db/with-tenant.ts';
import type { Plan } from '../domain/plans.ts';
import type { Login } from './stack-file.ts';

/** The example data, as shown to people who try the product. */
export interface Demo {
  /** Owner of a business on the PRO plan. */
  readonly owner: Login;
  /** Owner of a business on the FREE plan. */
  readonly free: Login;
  /** Of the PRO owner. */
  readonly apiKey: string;
  /** A client of the PRO business, with an e-mail address. */
  readonly clientId: string;
}

interface Business {
  readonly name: string;
  readonly plan: Plan;
  readonly owner: { readonly name: string } & Login;
  readonly address: string;
  readonly phone: string;
}

const PASSWORD = 'demo1234';

const ACME: Business = {
  name: 'Muebles Acme',
  plan: 'PRO',
  owner: { name: 'Diana Robles', email: 'duena@acme.test', password: PASSWORD },
  address: 'Av. Juárez 120, Centro, 44100 Guadalajara, Jal.',
  phone: '+52 33 1234 5678',
};
const LIBRE: Business = {
  name: 'Taller Libre',
  plan: 'FREE',
  owner: { name: 'Ana Luz Prieto', email: 'ana@libre.test', password: PASSWORD },
  address: 'Calle 5 de Mayo 8, 68000 Oaxaca, Oax.',
  phone: '+52 951 765 4321',
};

const CLIENTS = [
  {
    contactName: 'Laura Méndez',
    companyName: 'Hotel La Palma',
    email: 'laura@lapalma.test',
    phone: '+52 33 5555 0101',
  },
  { contactName: 'Óscar Núñez', companyName: 'Despacho Núñez y Asociados', email: 'oscar@nunez.test', phone: null },
  { contactName: 'Irene Castañeda', companyName: null, email: 'irene@castaneda.test', phone: '+52 33 5555 0177' },
  { contactName: 'Raúl Ibáñez', companyName: 'Café El Portal', email: null, phone: '+52 33 5555 0142' },
];

const PRODUCTS = [
  { name: 'Silla ejecutiva', modelSku: 'SE-200', unitPrice: '1850.50' },
  { name: 'Escritorio de encino 1.60 m', modelSku: 'EN-160', unitPrice: '7490.00' },
  { name: 'Librero de cinco repisas', modelSku: 'LB-5', unitPrice: '3275.00' },
  { name: 'Instalación por hora', modelSku: null, unitPrice: '380.00' },
];

/** Inserts the example data; a later start finds it and changes nothing. */
export async function seed(env: Record<string, string>): Promise<Demo> {
  const knex = connect({ url: setting(env, 'DATABASE_URL'), pool: 2, applicationName: 'quoting-seed' });
  const withTenant = createWithTenant(knex, () => undefined);
  const lookups = createLookups(knex);
  // The same key at each start, although only its hash is stored: derived from a secret of this installation.
  const digits = createHmac('sha256', setting(env, 'ENCRYPTION_KEYS')).update('example api key').digest('hex');
  const apiKey = newApiKey(digits.slice(0, 32));
  try {
    for (const business of [ACME, LIBRE]) {
      if (await lookups.userByEmail(business.owner.email)) continue;
      const passwordHash = await createPasswords().hash(business.owner.password, { key: 'seed', wait: 'always' });
      const tenantId = newId();
      await withTenant(tenantId, (trx) => fill(trx, tenantId, { business, passwordHash, apiKey }));
    }
    const owner = await lookups.userByEmail(ACME.owner.email);
    if (!owner) throw new Error('the example business was not stored');
    const client = await withTenant(owner.tenantId, (trx) =>
      Client.query(trx)
        .findOne({ tenantId: owner.tenantId, isActive: true })
        .whereNotNull('email')
        .orderBy('createdAt'),
    );
    if (!client) throw new Error('the example business has no client with an address');
    const login = ({ email, password }: Login): Login => ({ email, password });
    return { owner: login(ACME.owner), free: login(LIBRE.owner), apiKey: apiKey.key, clientId: client.id };
  } finally {
    await knex.destroy();
  }
}

async function fill(
  trx: TenantTransaction,
  tenantId: string,
  {
    business,
    passwordHash,
    apiKey,
  }: { business: Business; passwordHash: string; apiKey: ReturnType<typeof newApiKey> },
): Promise<void> {
  const { name, email } = business.owner;
  const owner = { name, email, passwordHash };
  const user = await registerTenant(trx, {
    tenantId,
    businessName: business.name,
    plan: business.plan,
    owner,
    isVerified: true,
    by: { kind: 'user', requestId: null },
  });
  const { address, phone } = business;
  await Tenant.query(trx).findById(tenantId).patch({ address, phone, taxRate: '0.16' });
  const now = Date.now();
  const stamped = (offsetMs: number) => ({ id: newId(), tenantId, createdAt: new Date(now + offsetMs) });
  await Client.query(trx).insert(CLIENTS.map((client, i) => ({ ...stamped(i), ...client })));
  await Product.query(trx).insert(PRODUCTS.map((product, i) => ({ ...stamped(i), ...product, currency: 'MXN' })));
  if (business.plan !== 'PRO') return;
  const { hash, prefix, last4 } = apiKey;
  await ApiKey.query(trx).insert({ id: newId(), tenantId, userId: user.id, name: 'Ejemplo', hash, prefix, last4 });
}

function setting(env: Record<string, string>, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
