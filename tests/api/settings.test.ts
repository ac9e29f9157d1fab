import assert from 'node:assert/strict';
import { findBusiness } from '../../api/settings/queries.ts';
import { newId } from '../../db/ids.ts';
import { expiryAfter } from '../../domain/expiry.ts';
import { png } from '../adapters/image-files.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

needs('storage');

const NUMBERING = { defaultTerms: '', numberFormat: 'COT-{number}', nextQuoteNumber: 1 };

const SETTINGS = {
  companyName: 'Muebles Roble',
  email: 'ventas@roble.example',
  phone: '+52 222 123 4567',
  address: 'Av. Juárez 10\nPuebla',
  bankInfo: { bankName: 'Banco del Centro', clabe: '032180000118359719', beneficiary: 'Muebles Roble, Ltda.' },
  defaultNotes: 'Entrega en 10 días',
  quoteValidityDays: 30,
  currency: 'USD',
  pdfBranding: {
    primaryColor: '#1F4E79',
    accentColor: '#abc',
    fontFamily: 'Times',
    headerLayout: 'center',
    footerText: 'Gracias',
  },
  reminderDaysBefore: 5,
  notifyOnAnswer: false,
  followUpDays: [3, 7],
  timeZone: 'America/Sao_Paulo',
  country: 'BR',
  locale: 'pt-BR',
  legalName: 'Muebles Roble, Ltda.',
  taxId: '11.222.333/0001-81',
  paperSize: 'LETTER',
};

describe('GET /api/settings', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 {data} with the settings of a new business', async () => {
    const business = await build.business();

    const res = await app.get('/api/settings', business.owner);

    assert.equal(res.status, 200);
    assert.deepEqual(res.body.data, {
      id: business.tenantId,
      companyName: 'Acme',
      email: business.email,
      phone: null,
      address: null,
      logoUrl: null,
      bankInfo: null,
      defaultNotes: '',
      taxRate: null,
      quoteValidityDays: 15,
      currency: 'MXN',
      pdfBranding: null,
      reminderDaysBefore: 3,
      notifyOnAnswer: true,
      followUpDays: [],
      timeZone: 'America/Mexico_City',
      country: 'MX',
      locale: 'es-MX',
      legalName: null,
      taxId: null,
      paperSize: null,
      ...NUMBERING,
      taxes: [
        { code: 'IVA16', name: 'IVA 16 %', kind: 'transfer', rate: 0.16 },
        { code: 'IVA8', name: 'IVA 8 %', kind: 'transfer', rate: 0.08 },
        { code: 'IVA0', name: 'IVA 0 %', kind: 'transfer', rate: 0 },
        { code: 'EXENTO', name: 'Exento de IVA', kind: 'exempt', rate: 0 },
        { code: 'RET_ISR10', name: 'Retención de ISR 10 %', kind: 'withholding', rate: 0.1 },
        { code: 'RET_IVA', name: 'Retención de IVA', kind: 'withholding', rate: 0.106667 },
      ],
    });
  });

  it('and its changes answer 404 «Negocio no encontrado» when the business is gone', async () => {
    const { owner } = await build.business();
    // The caller is still known, which is read in another way.
    const vanishing = await ownService({}, (deps) => ({
      ...deps,
      withTenant: (_tenantId, work) => deps.withTenant(newId(), work),
    }));
    const logo = new FormData();
    logo.set('logo', new Blob([new Uint8Array(await png({ width: 10, height: 10 }))]), 'logo.png');

    const answers = await Promise.all([
      fetch(`${vanishing.url}/api/settings`, { headers: owner }),
      fetch(`${vanishing.url}/api/settings`, {
        method: 'PUT',
        headers: { ...owner, 'Content-Type': 'application/json' },
        body: '{"phone":"222"}',
      }),
      fetch(`${vanishing.url}/api/settings/logo`, { method: 'POST', headers: owner, body: logo }),
    ]);

    for (const answer of answers) {
      const { error, reason } = (await answer.json()) as { error: string; reason: string };
      assert.deepEqual([answer.status, error, reason], [404, 'Negocio no encontrado', 'business_not_found']);
    }
  });
});

describe('PUT /api/settings', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const put = (as: build.Business['owner'], body: unknown) =>
    app.request('PUT', '/api/settings', { headers: as, body });

  it('ignores id, plan, slug, logoUrl and logoKey in the body', async () => {
    const { owner, tenantId } = await build.business({ plan: 'FREE' });

    const res = await put(owner, {
      id: newId(),
      plan: 'PRO',
      slug: 't-x',
      logoUrl: 'https://x.example',
      logoKey: 't/x',
      phone: '1',
    });

    assert.equal(res.status, 200);
    const stored = await app.deps.withTenant(tenantId, (trx) => findBusiness(trx, tenantId));
    assert.deepEqual([stored.id, stored.plan, stored.logoKey, stored.phone], [tenantId, 'FREE', null, '1']);
    assert.notEqual(stored.slug, 't-x');
  });

  it('stores time zones with their canonical IANA name', async () => {
    const { owner } = await build.business();

    for (const [given, kept] of [
      ['america/tijuana', 'America/Tijuana'],
      ['UTC', 'UTC'],
      ['pacific/KIRITIMATI', 'Pacific/Kiritimati'],
      ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ] as const) {
      const res = await put(owner, { timeZone: given });

      assert.deepEqual([res.status, res.body.data.timeZone], [200, kept]);
    }
  });

  it('answers 200 {data} with all given settings, like a later GET', async () => {
    const { owner, tenantId } = await build.business();

    const res = await put(owner, { ...SETTINGS, taxRate: 0.08 });

    assert.equal(res.status, 200);
    assert.deepEqual(res.body.data, {
      id: tenantId,
      ...NUMBERING,
      taxes: [],
      ...SETTINGS,
      taxRate: '0.08',
      logoUrl: null,
    });
    assert.deepEqual((await app.get('/api/settings', owner)).body, res.body);
  });

  it('does not change absent members', async () => {
    const { owner } = await build.business();
    const { body } = await put(owner, SETTINGS);

    const res = await put(owner, { phone: '55' });

    assert.deepEqual(res.body.data, { ...body.data, phone: '55' });
  });

  it('accepts the response of GET, except the tax rate as text', async () => {
    const { owner } = await build.business();
    const { body } = await put(owner, SETTINGS);

    const res = await put(owner, body.data);

    assert.equal(res.status, 200);
    assert.deepEqual(res.body, body);
  });

  it('null removes bankInfo, pdfBranding, phone, address and taxRate', async () => {
    const { owner } = await build.business();
    await put(owner, { ...SETTINGS, taxRate: 0.08 });

    const res = await put(owner, { bankInfo: null, pdfBranding: null, phone: null, address: null, taxRate: null });

    const { bankInfo, pdfBranding, phone, address, taxRate } = res.body.data;
    assert.deepEqual([bankInfo, pdfBranding, phone, address, taxRate], [null, null, null, null, null]);
  });

  it('a tax rate of 0 is kept and used for new quotes', async () => {
    const { owner } = await build.business();

    const res = await put(owner, { taxRate: 0 });

    assert.equal(res.body.data.taxRate, '0.00');
    const quote = await app.get(`/api/quotes/${(await build.quote(owner)).id}`, owner);
    assert.equal(quote.body.tax, '0.00');
  });

  it('new quotes get the default notes and validity', async () => {
    const { owner } = await build.business({ timeZone: 'Asia/Kathmandu' });
    await put(owner, { defaultNotes: 'Entrega en 10 días', quoteValidityDays: 1 });

    const { body } = await app.get(`/api/quotes/${(await build.quote(owner)).id}`, owner);

    assert.equal(body.notes, 'Entrega en 10 días');
    assert.equal(body.expiresAt, expiryAfter(new Date(body.createdAt), 1, 'Asia/Kathmandu').toISOString());
  });

  it('writes an audit entry «update» with before and after, and tenant.settings_changed', async () => {
    const business = await build.business();

    const res = await put(business.owner, { companyName: 'Roble', taxRate: 0.08, currency: 'MXN' });

    const entries = await auditOf(business, business.tenantId);
    const [entry] = entries.filter(({ action }) => action === 'update');
    assert.deepEqual(entry, {
      action: 'update',
      actor: 'user',
      userId: business.userId,
      entity: 'tenant',
      requestId: res.headers.get('x-request-id'),
      metadata: { before: { companyName: 'Acme', taxRate: null }, after: { companyName: 'Roble', taxRate: '0.08' } },
    });
    const [event, ...more] = await eventsOf(business);
    assert.equal(more.length, 0);
    assert.equal(event?.type, 'tenant.settings_changed');
    assert.deepEqual(event?.body.data, { changed: ['companyName', 'taxRate'] });
  });

  it('records no event when nothing differs', async () => {
    const business = await build.business();

    assert.equal((await put(business.owner, { companyName: 'Acme' })).status, 200);

    assert.deepEqual(await eventsOf(business), []);
  });

  it('followUpDays are at most three distinct ascending days from 1 to 60; others answer 400, null and [] clear them', async () => {
    const { owner } = await build.business();

    for (const days of [[1, 2, 3, 4], [3, 2], [3, 3], [0], [61], [1.5], ['3'], 3]) {
      const { status, body } = await put(owner, { followUpDays: days });
      assert.deepEqual([status, body.error.startsWith('followUpDays')], [400, true], JSON.stringify(days));
    }
    for (const [given, kept] of [
      [
        [1, 59, 60],
        [1, 59, 60],
      ],
      [null, []],
      [[2], [2]],
      [[], []],
    ]) {
      const { status, body } = await put(owner, { followUpDays: given });
      assert.deepEqual([status, body.data?.followUpDays], [200, kept]);
    }
  });

  it('answers 403 «Función disponible en el plan Pro» to pdfBranding on FREE and changes nothing', async () => {
    const business = await build.business({ plan: 'FREE' });

    const res = await put(business.owner, { companyName: 'Otra', pdfBranding: { primaryColor: '#000000' } });

    assert.equal(res.status, 403);
    assert.equal(res.body.error, 'Función disponible en el plan Pro');
    assert.equal((await app.get('/api/settings', business.owner)).body.data.companyName, 'Acme');
  });

  it('answers 400, not 403, to invalid pdfBranding on FREE', async () => {
    const { owner } = await build.business({ plan: 'FREE' });

    assert.equal((await put(owner, { pdfBranding: { primaryColor: 'rojo' } })).status, 400);
  });

  it('accepts pdfBranding null and bankInfo on FREE', async () => {
    const { owner } = await build.business({ plan: 'FREE' });

    const res = await put(owner, { pdfBranding: null, bankInfo: SETTINGS.bankInfo });

    assert.equal(res.status, 200);
    assert.deepEqual(res.body.data.bankInfo, SETTINGS.bankInfo);
  });
});

describe('GET /api/onboarding', () => {
  it('answers 200 to any member with both steps, completedAt null while incomplete', async () => {
    const app = await service();
    const { as } = await build.member(await build.business());

    const res = await app.get('/api/onboarding', as);

    assert.equal(res.status, 200);
    assert.deepEqual(res.body, {
      steps: [
        { name: 'company_info', completedAt: null },
        { name: 'first_quote', completedAt: null },
      ],
    });
  });

  it('keeps the time of the first completion of a step', async () => {
    const app = await service();
    const { owner } = await build.business();
    const change = () => app.request('PUT', '/api/settings', { headers: owner, body: { phone: '55' } });
    await change();
    const first = await app.get('/api/onboarding', owner);
    const [{ name, completedAt }] = first.body.steps;
    assert.equal(name, 'company_info');
    assert.ok(Date.now() - Date.parse(completedAt) < 60_000);

    await change();

    assert.deepEqual((await app.get('/api/onboarding', owner)).body, first.body);
  });
});
