import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { Signature } from '../../db/models/signature.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { exactQuote } from '../domain/exact-quote.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Response, type Service, service } from './service.ts';
import { auditOf, eventsOf, rowCounts, storedQuote } from './stored.ts';

needs('storage');

const line = (productName: string, unitPrice: number, more: Record<string, unknown> = {}) => ({
  productName,
  unitPrice,
  quantity: 1,
  ...more,
});

/** One fixed line, two optional ones of which the first is preset, and two alternatives of which the first is preset. */
const OFFER = {
  items: [
    line('Mesa', 1000),
    line('Lámpara', 200, { optional: true, selected: true, taxes: ['IVA8'] }),
    line('Tapete', 50, { optional: true }),
    line('Encino', 300, { choice: 'Acabado' }),
    line('Pino', 100, { choice: 'Acabado', taxes: ['EXENTO'] }),
  ],
  discountPct: 10,
  shippingCost: 40,
  deposit: { type: 'percent', value: 50 },
};

interface OptionLine {
  readonly productName: string;
  readonly unitPrice: number;
  readonly quantity: number;
  readonly unit: string;
  readonly discountPct: number;
  readonly optional?: boolean;
  readonly selected?: boolean;
  readonly choice?: string;
  readonly taxes?: readonly string[];
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };

describe('Selection of optional lines and alternatives', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business();
  });

  /** A SENT quote, with the ids of its lines by name. */
  async function offer(fields: Record<string, unknown> = {}, of = business) {
    const sent = await build.sentQuote(of, { ...OFFER, ...fields });
    const { items } = (await app.get(sent.portal)).body as { items: { id: string; productName: string }[] };
    const ids = new Map(items.map(({ id, productName }) => [productName, id]));
    const named = (...names: string[]) => names.map((name) => ids.get(name) ?? name);
    const totals = (selectedItemIds?: readonly string[], version = 1) =>
      app.post(`${sent.portal}/totals`, { version, ...(selectedItemIds && { selectedItemIds }) });
    const accept = (selectedItemIds?: readonly string[]) =>
      app.post(`${sent.portal}/accept`, { ...build.SIGNER, ...(selectedItemIds && { selectedItemIds }) });
    return { ...sent, named, totals, accept };
  }

  const pageIn = ({ bytes }: Response) => bytes.toString();
  const answer = ({ status, body }: Response) => [status, body.error];
  const signaturesOf = (quoteId: string) =>
    app.deps.withTenant(business.tenantId, (trx) =>
      Signature.query(trx).where({ tenantId: business.tenantId, quoteId }),
    );

  describe('GET /api/portal/:token', () => {
    it('shows the id of each line, whether it counts, and how it may be selected', async () => {
      const { portal } = await offer();

      const { items } = (await app.get(portal)).body as { items: Record<string, unknown>[] };

      assert.deepEqual(
        items.map(({ id, counts, optional, choice }) => [typeof id, counts, optional, choice]),
        [
          ['string', true, false, null],
          ['string', true, true, null],
          ['string', false, true, null],
          ['string', true, false, 'Acabado'],
          ['string', false, false, 'Acabado'],
        ],
      );
    });
  });

  describe('POST /api/portal/:token/totals', () => {
    it('answers 200 with the seller’s preset as decimal strings when nothing is selected', async () => {
      const { portal, totals } = await offer();

      const res = await totals();

      const quote = (await app.get(portal)).body;
      const { subtotal, discount, taxes, tax, shippingCost, total, deposit, currency } = quote;
      const { items, ...amounts } = res.body;
      assert.deepEqual(
        [res.status, amounts],
        [200, { version: 1, currency, subtotal, discount, taxes, tax, shippingCost, total, deposit }],
      );
      assert.deepEqual(
        items.map(({ counts }: { counts: boolean }) => counts),
        [true, true, false, true, false],
      );
    });

    it('answers 200 with the amounts of the selection: taxes, discount and deposit follow it', async () => {
      const { named, totals } = await offer();

      const { status, body } = await totals(named('Tapete', 'Pino'));

      // 900 + 45 at 16 %, 90 exempt, 40 of shipping.
      assert.equal(status, 200);
      assert.deepEqual(
        [body.subtotal, body.discount, body.tax, body.total, body.deposit.amount],
        ['1035.00', '115.00', '151.20', '1226.20', '613.10'],
      );
      assert.deepEqual(
        body.taxes.map(({ code, base, amount }: Record<string, string>) => [code, base, amount]),
        [['DEFAULT', '945.00', '151.20'], ['EXENTO', '90.00', '0.00']],
      ); // prettier-ignore
    });

    it('of an empty selection deselects the optional lines and keeps the preset of groups', async () => {
      const { totals } = await offer();

      const { body } = await totals([]);

      assert.equal(body.subtotal, '1170.00');
      assert.deepEqual(
        body.items.map(({ counts }: { counts: boolean }) => counts),
        [true, false, false, true, false],
      );
    });

    it('writes nothing', async () => {
      const own = await build.business();
      const { id, named, totals } = await offer({}, own);
      const before = [await rowCounts(own), await storedQuote(own, id)];

      await totals(named('Tapete'));

      assert.deepEqual([await rowCounts(own), await storedQuote(own, id)], before);
    });

    it('answers 409 «La versión de la cotización cambió» to another version, also with ids that are gone', async () => {
      const { id, client, named, totals } = await offer();
      const former = named('Tapete');
      await app.post(`/api/quotes/${id}/revise`, { clientId: client.id, ...OFFER }, business.owner);

      assert.deepEqual(answer(await totals(former)), [409, 'La versión de la cotización cambió']);
      assert.deepEqual(answer(await totals(undefined, 3)), [409, 'La versión de la cotización cambió']);
    });

    it('answers 410 «La cotización venció» once it expired, and 409 «La cotización ya fue respondida» once it was rejected', async () => {
      const [expired, rejected] = [await offer(), await offer()];
      await build.patchQuote(business, expired.id, { expiresAt: new Date(0) });
      await app.post(`${rejected.portal}/reject`, {});

      assert.deepEqual(answer(await expired.totals()), [410, 'La cotización venció']);
      assert.deepEqual(answer(await rejected.totals()), [409, 'La cotización ya fue respondida']);
    });

    it('of an accepted quote answers 200 to the selection of the acceptance and 409 to another', async () => {
      const { named, totals, accept } = await offer();
      assert.equal((await accept(named('Tapete'))).status, 200);

      assert.equal((await totals(named('Tapete'))).body.subtotal, '1215.00');
      assert.equal((await totals()).body.subtotal, '1215.00');
      assert.deepEqual(answer(await totals([])), [409, 'La cotización ya fue respondida']);
    });

    it('gives totals that equal exact fractions and satisfy their relations, for any selection', async () => {
      const kinds: readonly Partial<OptionLine>[] = [{}, { optional: true }, { optional: true, selected: true }, { choice: 'A' }, { choice: 'A' }, { choice: 'B' }, { choice: 'B', selected: true }, { optional: true }]; // prettier-ignore
      const codes = [null, ['IVA16'], ['IVA8', 'RET_ISR10'], ['EXENTO'], [], ['IVA16', 'RET_IVA'], ['IVA0'], null];
      const items = kinds.map((kind, index): OptionLine => ({
        productName: `Partida ${index}`,
        unitPrice: 33.335 * (index + 1),
        quantity: 1.125 + index,
        unit: 'm',
        discountPct: index * 3.25,
        ...kind,
        ...(codes[index] && { taxes: codes[index] }),
      }));
      const { named, totals } = await offer({ items, discountPct: 7.5, shippingCost: 12.5, shippingTaxes: ['IVA16'] });
      const options = fc.record({
        optional: fc.subarray(['Partida 1', 'Partida 2', 'Partida 7']),
        a: fc.constantFrom('Partida 3', 'Partida 4'),
        b: fc.constantFrom('Partida 5', 'Partida 6'),
      });

      await fc.assert(
        fc.asyncProperty(options, async ({ optional, a, b }) => {
          const names = [...optional, a, b];
          const { status, body } = await totals(named(...names));

          assert.equal(status, 200, JSON.stringify(body));
          const exact = exactQuote(
            items.map(({ productName, unitPrice, quantity, discountPct, taxes, optional: isOptional, choice }) => ({
              unitPrice: unitPrice.toFixed(6),
              quantity: quantity.toFixed(4),
              discountPct: discountPct.toFixed(4),
              taxes: taxes ?? null,
              optional: isOptional ?? false,
              choice: choice ?? null,
              selected: names.includes(productName),
            })),
            {
              taxRate: '0.16',
              taxes: [
                { code: 'IVA16', kind: 'transfer', rate: '0.16' },
                { code: 'IVA8', kind: 'transfer', rate: '0.08' },
                { code: 'IVA0', kind: 'transfer', rate: '0.00' },
                { code: 'EXENTO', kind: 'exempt', rate: '0.00' },
                { code: 'RET_ISR10', kind: 'withholding', rate: '0.10' },
                { code: 'RET_IVA', kind: 'withholding', rate: '0.106667' },
              ],
              shippingCost: '12.50',
              shippingTaxes: ['IVA16'],
              discountPct: '7.5',
              places: 2,
            },
          );
          const { lines, counts, ...amounts } = exact;
          assert.deepEqual(
            {
              subtotal: body.subtotal,
              discount: body.discount,
              taxes: body.taxes
                .map(({ code, base, amount }: Record<string, string>) => ({ code, base, amount }))
                .toSorted((x: { code: string }, y: { code: string }) => (x.code < y.code ? -1 : 1)),
              tax: body.tax,
              total: body.total,
            },
            amounts,
          );
          assert.deepEqual(
            body.items.map((item: { subtotal: string; counts: boolean }) => [item.subtotal, item.counts]),
            lines.map((amount, index) => [amount, counts[index]]),
          );
          const cents = (text: string) => Math.round(Number(text) * 100);
          const sum = body.items.reduce((all: number, item: { subtotal: string; counts: boolean }) => all + (item.counts ? cents(item.subtotal) : 0), 0); // prettier-ignore
          assert.equal(cents(body.subtotal), sum);
          assert.equal(cents(body.total), sum + cents(body.tax) + cents(body.shippingCost));
          assert.equal(cents(body.deposit.amount), Math.round(cents(body.total) / 2));
        }),
        { numRuns: 40 },
      );
    });
  });

  describe('a selection that is not allowed', () => {
    const refused: readonly [what: string, select: (named: (...names: string[]) => string[], foreign: string) => string[], message: string][] = [
      ['a line of another quote', (_, foreign) => [foreign], 'selectedItemIds.0: no es una partida de esta cotización'],
      ['a fixed line', (named) => named('Tapete', 'Mesa'), 'selectedItemIds.1: es una partida fija'],
      ['a repeated line', (named) => named('Tapete', 'Tapete'), 'selectedItemIds.1: está repetido'],
      ['two of a group', (named) => named('Encino', 'Pino'), 'selectedItemIds.1: la alternativa «Acabado» ya tiene otra partida elegida'],
    ]; // prettier-ignore
    for (const [what, select, message] of refused) {
      it(`because of ${what} answers 400 «${message}» on both routes, and the quote stays SENT`, async () => {
        const { id, named, totals, accept } = await offer();
        const [foreign = ''] = (await offer()).named('Tapete');
        const ids = select(named, foreign);

        assert.deepEqual(answer(await totals(ids)), [400, message]);
        assert.deepEqual(answer(await accept(ids)), [400, message]);
        assert.equal((await storedQuote(business, id)).status, 'SENT');
      });
    }

    it('because no line would count answers 400 «selectedItemIds: al menos una partida debe contar»', async () => {
      const { accept } = await offer({ items: [line('Tapete', 50, { optional: true, selected: true })] });

      assert.deepEqual(answer(await accept([])), [400, 'selectedItemIds: al menos una partida debe contar']);
    });

    it('because of a negative total answers 400 «selectedItemIds: el total no puede ser negativo»', async () => {
      const own = await build.business();
      const taxes = ['TODO', 'MAS'].map((code) => ({ code, name: code, rate: 1, kind: 'withholding' }));
      await app.request('PUT', '/api/settings', { headers: own.owner, body: { taxes } });
      const items = [line('Mesa', 10), line('Retenida', 100, { optional: true, taxes: ['TODO', 'MAS'] })];
      const { id, named, totals, accept } = await offer({ items, shippingCost: 0 }, own);
      const message = 'selectedItemIds: el total no puede ser negativo';

      assert.deepEqual(answer(await totals(named('Retenida'))), [400, message]);
      assert.deepEqual(answer(await accept(named('Retenida'))), [400, message]);
      assert.equal((await storedQuote(own, id)).status, 'SENT');
    });

    it('because of 1001 ids answers 400', async () => {
      const { totals } = await offer();

      assert.deepEqual(answer(await totals(Array(1001).fill('x'))), [
        400,
        'selectedItemIds: debe tener como máximo 1000 elementos',
      ]);
    });
  });

  describe('POST /api/portal/:token/accept', () => {
    it('records the selection in the quote, the event and the audit entry', async () => {
      const { id, named, totals, accept } = await offer();
      const expected = (await totals(named('Tapete', 'Pino'))).body;

      const res = await accept(named('Tapete', 'Pino'));

      assert.equal(res.status, 200, JSON.stringify(res.body));
      const quote = (await app.get(`/api/quotes/${id}`, business.owner)).body;
      const { subtotal, discount, taxes, tax, total, deposit } = quote;
      assert.deepEqual(
        { subtotal, discount, taxes, tax, total, deposit },
        {
          subtotal: expected.subtotal,
          discount: expected.discount,
          taxes: expected.taxes,
          tax: expected.tax,
          total: expected.total,
          deposit: expected.deposit,
        },
      );
      const counting = [true, false, true, false, true];
      assert.deepEqual(quote.items.map(({ counts }: { counts: boolean }) => counts), counting); // prettier-ignore
      const event = (await eventsOf(business, id)).at(-1);
      const sent = event?.body.data.quote as { total: number; items: { counts: boolean }[] };
      assert.deepEqual([sent.total, sent.items.map(({ counts }) => counts)], [1226.2, counting]);
      const entry = (await auditOf(business, id)).at(-1);
      const { preset, selected } = Object(entry?.metadata['selection']);
      assert.deepEqual([preset.total, selected.total], ['1591.60', '1226.20']);
    });

    it('keeps preset and selection in the evidence and in the signed text, and the document shows the selection', async () => {
      const { id, portal, named, accept } = await offer();
      const shown = await app.get(`${portal}/pdf`);
      await accept(named('Tapete', 'Pino'));

      const { body } = await app.get(`/api/quotes/${id}/signature/evidence`, business.owner);

      const chosen = (names: string[], total: string) => ({
        items: names.map((productName) => ({
          id: named(productName)[0],
          productName,
          choice: /Encino|Pino/.test(productName) ? 'Acabado' : null,
        })),
        total,
      });
      const selection = {
        preset: chosen(['Lámpara', 'Encino'], '1591.60'),
        selected: chosen(['Tapete', 'Pino'], '1226.20'),
      };
      assert.deepEqual(body.selection, selection);
      const snapshot = JSON.parse(body.snapshot);
      assert.deepEqual([snapshot.total, snapshot.selection], ['1226.20', selection]);
      assert.equal(createHash('sha256').update(body.snapshot).digest('hex'), body.snapshotSha256);
      assert.match(body.consentText, /por un total de \$1,226\.20 MXN/);
      assert.equal(body.shownPdfSha256, createHash('sha256').update(shown.bytes).digest('hex'));
      const signed = await app.get(`${portal}/pdf`);
      const { text } = await readPdf(signed.bytes);
      assert.match(text, /Tapete Opcional, incluido/);
      assert.match(text, /Pino Alternativa de Acabado, elegida/);
      assert.match(text, /Lámpara Opcional, no incluido/);
      assert.match(text, /Total \$1,226\.20/);
      const owners = await app.get(`/api/quotes/${id}/pdf`, business.owner);
      assert.ok(owners.bytes.equals(signed.bytes), 'not the file of the client');
    });

    it('without a selection records the preset as the selection; a quote without options has none', async () => {
      const [options, plain] = [await offer(), await build.sentQuote(business)];
      await options.accept();
      await app.post(`${plain.portal}/accept`, build.SIGNER);

      const evidence = async (id: string) =>
        (await app.get(`/api/quotes/${id}/signature/evidence`, business.owner)).body;
      const { selection } = await evidence(options.id);
      const { selection: none, snapshot } = await evidence(plain.id);

      assert.deepEqual(selection.selected, selection.preset);
      assert.deepEqual([none, 'selection' in JSON.parse(snapshot)], [null, false]);
    });

    it('lowers a deposit that exceeds the total of the selection to that total', async () => {
      const { id, totals, accept } = await offer({
        items: [line('Mesa', 100), line('Tapete', 900, { optional: true, selected: true })],
        deposit: { type: 'amount', value: 500 },
        discountPct: 0,
        shippingCost: 0,
      });
      const { deposit } = (await totals([])).body;
      await accept([]);

      const quote = (await app.get(`/api/quotes/${id}`, business.owner)).body;
      assert.deepEqual([deposit.amount, quote.total, quote.deposit], ['116.00', '116.00', { type: 'amount', value: '116.00', note: null, amount: '116.00' }]); // prettier-ignore
      assert.equal((await app.post(`/api/quotes/${id}/duplicate`, {}, business.owner)).status, 201);
    });

    it('repeated with the same selection or none answers 200, with another 409 «La cotización ya fue respondida»', async () => {
      const { id, named, accept } = await offer();
      const first = await accept(named('Tapete'));

      assert.deepEqual((await accept(named('Tapete'))).body, first.body);
      // A group that is not named keeps its preset, which is what was accepted.
      assert.deepEqual((await accept(named('Tapete', 'Encino'))).body, first.body);
      assert.deepEqual((await accept()).body, first.body);
      assert.deepEqual(answer(await accept(named('Lámpara'))), [409, 'La cotización ya fue respondida']);
      assert.deepEqual(answer(await accept(named('Tapete', 'Pino'))), [409, 'La cotización ya fue respondida']);
      assert.equal((await signaturesOf(id)).length, 1);
    });

    it('repeated after another alternative was accepted compares with the preset that was offered', async () => {
      const { named, accept } = await offer();
      await accept(named('Pino'));

      assert.equal((await accept(named('Pino'))).status, 200);
      assert.deepEqual(answer(await accept([])), [409, 'La cotización ya fue respondida']);
    });

    it('of 20 simultaneous acceptances with different selections exactly one wins, with its amounts, signature and event', async () => {
      const own = await build.business();
      const items = [line('Mesa', 1000), ...Array.from({ length: 20 }, (_, n) => line(`Opción ${n}`, n + 1, { optional: true }))]; // prettier-ignore
      const { id, named, accept } = await offer({ items, discountPct: 0, shippingCost: 0 }, own);

      const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => accept(named(`Opción ${n}`))));

      const won = responses.flatMap(({ status }, n) => (status === 200 ? [n] : []));
      const lost = responses.filter(({ status }) => status !== 200);
      assert.equal(won.length, 1);
      assert.deepEqual(
        new Set(lost.map((res) => answer(res).join())),
        new Set(['409,La cotización ya fue respondida']),
      );
      const quote = (await app.get(`/api/quotes/${id}`, own.owner)).body;
      assert.equal(quote.subtotal, `${1001 + (won[0] ?? 0)}.00`);
      const counted = quote.items.filter(({ optional, counts }: { optional: boolean; counts: boolean }) => optional && counts); // prettier-ignore
      assert.deepEqual(counted.map(({ productName }: { productName: string }) => productName), [`Opción ${won[0]}`]); // prettier-ignore
      const { selection } = (await app.get(`/api/quotes/${id}/signature/evidence`, own.owner)).body;
      assert.equal(selection.selected.total, quote.total);
      assert.deepEqual((await eventsOf(own, id)).map(({ type }) => type), ['quote.created', 'quote.status_changed', 'quote.accepted']); // prettier-ignore
    });
  });

  describe('POST /p/:token/totals', () => {
    const post = (path: string, fields: Record<string, string>) =>
      app.request('POST', path, { headers: FORM, body: new URLSearchParams({ version: '1', ...fields }).toString() });

    it('answers 200 with the page: amounts of the selection, and the other fields as they were sent', async () => {
      const { page, named } = await offer();
      const [tapete = '', pino = ''] = named('Tapete', 'Pino');

      const fields = { shown: named('Lámpara', 'Encino').join(), 'line-2': tapete, 'group-3': pino, signerName: 'Ana' };
      const res = await post(`${page}/totals`, fields);
      const text = pageIn(res);

      assert.equal(res.status, 200);
      assert.match(text, /\$1,226\.20/);
      assert.match(text, new RegExp(`name="shown" value="${tapete},${pino}"`));
      assert.match(text, /name="signerName"[^>]*value="Ana"/);
    });

    it('answers 400 with the amounts that were shown before, to a selection that is not allowed', async () => {
      const { page, named } = await offer();
      const shown = named('Tapete', 'Pino').join();

      const res = await post(`${page}/totals`, { shown, 'line-2': 'ajena' });
      const text = pageIn(res);

      assert.equal(res.status, 400);
      assert.match(text, /Esa selección no se puede aceptar/);
      assert.match(text, /\$1,226\.20/);
    });

    it('answers 403 to a form of another site, and 303 to a GET', async () => {
      const { page } = await offer();
      const foreign = await app.request('POST', `${page}/totals`, { headers: { ...FORM, 'Sec-Fetch-Site': 'cross-site' }, body: 'version=1' }); // prettier-ignore

      assert.equal(foreign.status, 403);
      assert.equal((await app.get(`${page}/totals`)).status, 303);
    });

    it('is needed before a selection is signed whose amounts were not shown: accept answers 409 and records nothing', async () => {
      const { id, page, named } = await offer();
      const [tapete = '', encino = ''] = named('Tapete', 'Encino');
      const signer = { signerName: 'Laura', signerEmail: 'laura@cliente.test', consent: 'si' };
      const fields = { ...signer, shown: named('Lámpara', 'Encino').join(), 'line-2': tapete, 'group-3': encino };

      const early = await post(`${page}/accept`, fields);
      const status = [early.status, (await storedQuote(business, id)).status];
      const late = await post(`${page}/accept`, { ...fields, shown: `${tapete},${encino}` });

      assert.deepEqual(status, [409, 'SENT']);
      assert.match(pageIn(early), /El total cambió con su selección/);
      assert.match(pageIn(early), /\$1,449\.40/);
      assert.equal(late.status, 303);
      assert.equal((await app.get(`/api/quotes/${id}`, business.owner)).body.total, '1449.40');
    });
  });
});
