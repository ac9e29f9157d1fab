import assert from 'node:assert/strict';
import { Client } from '../../db/models/client.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

describe('POST /api/clients', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const create = (business: build.Business, body: unknown) => app.post('/api/clients', body, business.owner);

  it('ignores tenantId, id and isActive in the body', async () => {
    const business = await build.business();
    const other = await build.business();
    const forged = { id: 'c'.padEnd(25, '0'), tenantId: other.tenantId, isActive: false };

    const res = await create(business, { contactName: 'Laura', ...forged });

    const { tenantId } = business;
    const stored = await app.deps.withTenant(tenantId, (trx) => Client.query(trx).where({ tenantId }));
    assert.deepEqual(
      stored.map(({ id, isActive }) => ({ id, isActive })),
      [{ id: res.body.id, isActive: true }],
    );
    assert.notEqual(res.body.id, forged.id);
  });

  it('answers 201 with the whole record', async () => {
    const business = await build.business();
    const fields = {
      contactName: 'Laura Méndez',
      companyName: 'La Palma',
      email: 'laura@palma.example',
      phone: '+52 55 1234 5678',
      taxId: 'XAXX010101000',
      address: 'Calle 5 #12\nCDMX',
      country: 'CO',
      locale: 'pt-BR',
      notes: 'Paga a 30 días',
      contacts: [{ name: 'Luis Rivas', email: 'luis@palma.example', phone: '+52 55 8765 4321', role: 'Compras' }],
    };

    const res = await create(business, fields);

    assert.equal(res.status, 201);
    const { id, createdAt, updatedAt, ...rest } = res.body;
    assert.deepEqual(rest, { ...fields, isActive: true });
    assert.match(id, /^c[a-z0-9]{24}$/);
    assert.equal(createdAt, updatedAt);
  });

  it('keeps up to ten contacts, cleaned, with null for what they lack, and audits them', async () => {
    const business = await build.business();
    const given = [
      { name: ' Luis\r\nRivas ', email: '', isAdmin: true },
      { name: 'Eva', role: 'Pagos' },
    ];

    const res = await create(business, { contactName: 'Laura', contacts: given });

    const contacts = [
      { name: 'Luis Rivas', email: null, phone: null, role: null },
      { name: 'Eva', email: null, phone: null, role: 'Pagos' },
    ];
    assert.deepEqual([res.status, res.body.contacts], [201, contacts]);
    assert.equal(res.headers.get('X-Ignored-Members'), 'contacts.0.isAdmin');
    const [entry] = await auditOf(business, res.body.id);
    assert.deepEqual(entry?.metadata['contacts'], contacts);
  });

  for (const [what, contacts, message] of [
    [
      'eleven contacts',
      Array.from({ length: 11 }, () => ({ name: 'Eva' })),
      'contacts: debe tener como máximo 10 elementos',
    ],
    ['a contact without a name', [{ email: 'eva@x.test' }], 'contacts.0.name: es obligatorio'],
    [
      'a contact with an invalid address',
      [{ name: 'Eva', email: 'no' }],
      'contacts.0.email: debe ser un correo electrónico válido',
    ],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const res = await create(await build.business(), { contactName: 'Laura', contacts });

      assert.deepEqual([res.status, res.body.error], [400, message]);
    });
  }

  it('requires only contactName; the other members are null', async () => {
    const res = await create(await build.business(), { contactName: 'Laura' });

    assert.equal(res.status, 201);
    const { companyName, email, phone, taxId, address, locale, notes } = res.body;
    assert.deepEqual([companyName, email, phone, taxId, address, locale, notes], Array(7).fill(null));
  });

  it('trims names and the e-mail', async () => {
    const res = await create(await build.business(), { contactName: '  Laura ', email: ' laura@palma.example ' });

    assert.deepEqual([res.body.contactName, res.body.email], ['Laura', 'laura@palma.example']);
  });

  it('checks the length of a name after trimming', async () => {
    const contactName = 'ñ'.repeat(200);

    const res = await create(await build.business(), { contactName: `  ${contactName}  ` });

    assert.deepEqual([res.status, res.body.contactName], [201, contactName]);
  });

  it('stores text in NFC', async () => {
    const res = await create(await build.business(), { contactName: 'Jose\u0301' });

    assert.equal(res.body.contactName, 'José');
  });

  it('writes one audit entry «create» and one event client.created, with the same request id', async () => {
    const business = await build.business();

    const res = await create(business, { contactName: 'Laura', email: 'laura@palma.example' });

    const { id } = res.body;
    const requestId = res.headers.get('X-Request-Id');
    const metadata = { contactName: 'Laura', companyName: null };
    assert.deepEqual(await auditOf(business, id), [
      { action: 'create', actor: 'user', userId: business.userId, entity: 'client', requestId, metadata },
    ]);
    const [event, ...more] = await eventsOf(business);
    assert.deepEqual([event?.type, event?.requestId, more], ['client.created', requestId, []]);
    const client = { id, contactName: 'Laura', companyName: null, email: 'laura@palma.example', phone: null };
    assert.deepEqual(event?.body.data, { client });
  });

  it('the audit entry of a call with an API key names the key', async () => {
    const business = await build.business();
    const { as, userId } = await build.member(business);

    const { id } = await build.client(as);

    const [entry] = await auditOf(business, id);
    assert.deepEqual([entry?.actor, entry?.userId], ['key', userId]);
  });
});
