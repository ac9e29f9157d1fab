import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

describe('Numbers of quotes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const put = async (business: build.Business, body: object) => {
    const res = await app.request('PUT', '/api/settings', { headers: business.owner, body });
    return res.status === 200 ? res.body.data : res.body.error;
  };
  const numbersOf = async (business: build.Business, query = '') =>
    (await app.get(`/api/quotes${query}`, business.owner)).body as {
      total: number;
      data: { displayNumber: string; quoteNumber: number }[];
    };

  it('are written in the format of the business, padded, with the year', async () => {
    const business = await build.business();
    await put(business, { numberFormat: 'F/{year}-{number:4}' });

    const quote = await build.quote(business.owner);

    const year = new Date().getUTCFullYear();
    const { body } = await app.get(`/api/quotes/${quote.id}`, business.owner);
    assert.deepEqual([body.displayNumber, body.quoteNumber], [`F/${year}-0001`, 1]);
    const found = await numbersOf(business, `?search=${encodeURIComponent(`f/${year}-0001`)}`);
    assert.deepEqual([found.total, found.data[0]?.quoteNumber], [1, 1]);
  });

  it('keep their format when the business changes it', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await put(business, { numberFormat: 'X-{number}' });

    const res = await app.get(`/api/quotes/${id}`, business.owner);

    assert.equal(res.body.displayNumber, 'COT-1');
  });

  it('continue from a raised number, while lists count the quotes', async () => {
    const business = await build.business();
    await build.quote(business.owner);
    await put(business, { nextQuoteNumber: 1000 });
    await build.quote(business.owner);

    const plain = await numbersOf(business);
    const filtered = await numbersOf(business, '?sort=-total');

    assert.deepEqual(
      plain.data.map(({ quoteNumber }) => quoteNumber),
      [1000, 1],
    );
    assert.deepEqual([plain.total, filtered.total], [2, 2]);
    const update = (await auditOf(business, business.tenantId)).findLast(({ action }) => action === 'update');
    assert.deepEqual(update?.metadata, { before: { nextQuoteNumber: 2 }, after: { nextQuoteNumber: 1000 } });
  });

  it('cannot be lowered: 400 «nextQuoteNumber: debe ser mayor que el último número, 1»', async () => {
    const business = await build.business();
    await build.quote(business.owner);

    assert.equal(
      await put(business, { nextQuoteNumber: 1 }),
      'nextQuoteNumber: debe ser mayor que el último número, 1',
    );
    assert.equal((await put(business, { nextQuoteNumber: 2 })).nextQuoteNumber, 2);
  });

  it('need {number} exactly once in their format', async () => {
    const business = await build.business();
    const message = 'numberFormat: debe tener {number} exactamente una vez';

    assert.equal(await put(business, { numberFormat: 'F-{year}' }), message);
    assert.equal(await put(business, { numberFormat: '{number}{number:3}' }), message);
    assert.match(await put(business, { numberFormat: 'Ñ{number}' }), /^numberFormat: solo admite letras/);
  });

  it('that two formats write alike are refused with 409, and no number is consumed', async () => {
    const business = await build.business();
    await put(business, { numberFormat: 'A1{number}' });
    await build.quote(business.owner);
    await put(business, { numberFormat: 'A{number}', nextQuoteNumber: 11 });
    const { id: clientId } = await build.client(business.owner);

    const refused = await app.post('/api/quotes', { clientId, items: [build.ITEM] }, business.owner);

    assert.deepEqual(
      [refused.status, refused.body.reason, refused.body.error],
      [409, 'quote_number_taken', 'El número de la cotización ya existe; cambie el formato de número'],
    );
    await put(business, { numberFormat: 'B{number}' });
    assert.equal((await build.quote(business.owner)).quoteNumber, 11);
  });
});

describe('GET /api/taxes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with the six taxes of a Mexican business, also to a collaborator', async () => {
    const business = await build.business();
    const { as } = await build.member(business);

    const res = await app.get('/api/taxes', as);

    assert.deepEqual(
      [res.status, res.body.map(({ code }: { code: string }) => code)],
      [200, ['IVA16', 'IVA8', 'IVA0', 'EXENTO', 'RET_ISR10', 'RET_IVA']],
    );
  });

  it('answers the table of the settings, which is replaced as a whole', async () => {
    const business = await build.business();
    const taxes = [{ code: 'IVU', name: 'IVU', rate: 0.115, kind: 'transfer' }];

    const res = await app.request('PUT', '/api/settings', { headers: business.owner, body: { taxes } });

    assert.deepEqual([res.status, res.body.data.taxes], [200, taxes]);
    assert.deepEqual((await app.get('/api/taxes', business.owner)).body, taxes);
  });

  it('accepts the rates 0 and 1 and one of six decimals', async () => {
    const { owner } = await build.business();
    const taxes = [tax({ code: 'A', rate: 0 }), tax({ code: 'B', rate: 1 }), tax({ code: 'C', rate: 0.106667 })];

    const res = await app.request('PUT', '/api/settings', { headers: owner, body: { taxes } });

    assert.deepEqual([res.status, res.body.data.taxes], [200, taxes]);
  });

  const tax = (more: object) => ({ code: 'A', name: 'A', rate: 0.1, kind: 'transfer', ...more });
  const refusals: readonly [what: string, taxes: readonly object[], message: string][] = [
    ['a code twice', [tax({}), tax({})], 'taxes.1.code: está repetido'],
    ['the reserved code', [tax({ code: 'DEFAULT' })], 'taxes.0.code: DEFAULT está reservado'],
    ['an exempt tax with a rate', [tax({ kind: 'exempt' })], 'taxes.0.rate: debe ser 0 en un impuesto exento'],
    ['a rate of 7 decimals', [tax({ rate: 0.1234567 })], 'taxes.0.rate: debe tener como máximo 6 decimales'],
    ['a rate above 1', [tax({ rate: 1.01 })], 'taxes.0.rate: debe ser menor o igual que 1'],
    ['21 taxes', Array.from({ length: 21 }, (_, n) => tax({ code: `A${n}` })), 'taxes: debe tener como máximo 20 elementos'],
  ]; // prettier-ignore
  for (const [what, taxes, message] of refusals) {
    it(`PUT /api/settings refuses ${what} with 400 «${message}»`, async () => {
      const { owner } = await build.business();

      const res = await app.request('PUT', '/api/settings', { headers: owner, body: { taxes } });

      assert.deepEqual([res.status, res.body.error], [400, message]);
    });
  }
});
