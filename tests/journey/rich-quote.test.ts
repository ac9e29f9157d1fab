import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readSheet } from 'read-excel-file/node';
import { readPdf } from '../adapters/pdf-text.ts';
import { attach, form, image, pdf } from '../api/attachment-files.ts';
import { type Receiver, receiver } from '../api/receiver.ts';
import type { Response } from '../api/service.ts';
import { exactQuote } from '../domain/exact-quote.ts';
import { eventually } from '../eventually.ts';
import { type Business, mailsTo, type Quote, register, share } from './business.ts';
import { type Installation, installation } from './installation.ts';
import { DEPOSIT, EXACT_LINES, EXACT_SELECTION, EXACT_TERMS, INTERNAL_NOTES, LINES, METADATA, PRINTED, RICH, SELECTED_DEPOSIT, SELECTED_SUMS, SETTINGS, SUMS, TAXES, WANTED } from './rich-quote.ts'; // prettier-ignore

const year = new Date().getUTCFullYear();
const NUMBER = `F/${year}-0001`;
const TYPED = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Neither internal notes nor metadata, which the client must not see. */
const assertNothingInternal = (text: string) =>
  assert.doesNotMatch(
    text,
    new RegExp([INTERNAL_NOTES, 'internalNotes', 'metadata', ...Object.values(METADATA)].join('|')),
  );

interface Amounts {
  readonly subtotal: unknown;
  readonly discount: unknown;
  readonly tax: unknown;
  readonly shippingCost: unknown;
  readonly total: unknown;
}
const sumsOf = ({ subtotal, discount, tax, shippingCost, total }: Amounts) => ({
  subtotal,
  discount,
  tax,
  shippingCost,
  total,
});
const numbersOf = (amounts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, Number(amount)]));
const NUMBERS = numbersOf(SUMS);

interface Tax {
  readonly code: string;
  readonly kind: string;
  readonly rate: unknown;
  readonly base: unknown;
  readonly amount: unknown;
}
const taxesOf = (taxes: readonly Tax[]) =>
  taxes.map(({ code, kind, rate, base, amount }) => [code, kind, Number(rate), Number(base), Number(amount)]);
const NUMERIC_TAXES = TAXES.map(([code, kind, rate, base, amount]) => [code, kind, Number(rate), Number(base), Number(amount)]); // prettier-ignore

interface Item {
  readonly subtotal: unknown;
  readonly counts: boolean;
}
const linesOf = (items: readonly Item[]) => items.map(({ subtotal, counts }) => [Number(subtotal), counts]);
const NUMERIC_LINES = LINES.map(([amount, , counts]) => [Number(amount), counts]);

/** One quote with every optional feature, from its creation to the acceptance of its second version. */
describe('a quote with sections, units, taxes, options, discounts, deposit, terms and attachments', () => {
  let service: Installation;
  let business: Business;
  let endpoint: Receiver;
  /** Of fire_webhook. */
  let fired: Receiver;
  let created: Response;
  let quote: Quote;
  let portal: string;
  let page: string;

  before(async () => {
    service = await installation();
    business = await register(service);
    const { http } = service;
    const { owner, slug } = business;
    answered(await http.request('PUT', '/api/settings', { headers: owner, body: SETTINGS }), 200);
    endpoint = await receiver();
    const events = ['quote.created', 'quote.sent', 'quote.status_changed', 'quote.accepted'];
    answered(await http.post('/api/webhooks', { url: endpoint.url, events }, owner), 201);
    fired = await receiver();
    const actions = [{ type: 'fire_webhook', url: fired.url, includeItems: true }];
    answered(await http.post('/api/automations', { name: 'Aviso', trigger: 'QUOTE_CREATED', actions }, owner), 201);
    const clientEmail = 'compras@lapalma.test';
    const person = { contactName: 'Laura Méndez', companyName: 'Hotel La Palma', email: clientEmail };
    const client = answered(await http.post('/api/clients', person, owner), 201);
    created = await http.post('/api/quotes', { ...RICH, clientId: client.id }, owner);
    const { id, quoteNumber, publicToken } = answered(created, 201);
    quote = { id, quoteNumber, publicToken, clientEmail, workflowId: `quote.${slug}.COT-${quoteNumber}` };
    portal = `/api/portal/${publicToken}`;
    page = `/p/${publicToken}`;
    assert.equal((await attach(http, owner, id, form(pdf(), 'plano.pdf'))).status, 201);
    assert.equal((await attach(http, owner, id, form(await image(), 'fachada.png', 'image/png'))).status, 201);
    answered(await share(service, business, quote), 200);
  });
  after(() => Promise.all([endpoint[Symbol.asyncDispose](), fired[Symbol.asyncDispose]()]));

  const answered = (res: Response, status: number) => {
    assert.equal(res.status, status, JSON.stringify(res.body));
    return res.body;
  };
  const read = async (path: string) => answered(await service.http.get(path, business.owner), 200);
  const post = async (path: string, body: unknown, status: number) =>
    answered(await service.http.post(path, body, business.owner), status);

  it('has the amounts that exact fractions give', () => {
    const { lines, counts, taxes, ...sums } = exactQuote(EXACT_LINES, EXACT_TERMS);

    assert.deepEqual({ ...sums, shippingCost: SUMS.shippingCost }, SUMS);
    assert.deepEqual(lines.map((amount, index) => [amount, counts[index]]), LINES.map(([amount, , counted]) => [amount, counted])); // prettier-ignore
    assert.deepEqual(
      new Map(taxes.map(({ code, base, amount }) => [code, [base, amount]])),
      new Map(TAXES.map(([code, , , base, amount]) => [code, [base, amount]])),
    );
  });

  it('is created with these amounts as numbers, and read with them as text', async () => {
    const stored = await read(`/api/quotes/${quote.id}`);

    const { body } = created;
    assert.deepEqual([sumsOf(body), sumsOf(stored)], [NUMBERS, SUMS]);
    assert.deepEqual([taxesOf(body.taxes), taxesOf(stored.taxes)], [NUMERIC_TAXES, NUMERIC_TAXES]);
    assert.deepEqual([linesOf(body.items), linesOf(stored.items)], [NUMERIC_LINES, NUMERIC_LINES]);
    assert.deepEqual([body.deposit.amount, stored.deposit.amount], [Number(DEPOSIT), DEPOSIT]);
    const { displayNumber, title, reference, terms, internalNotes, metadata, attachments, status } = stored;
    assert.deepEqual(
      { displayNumber, title, reference, terms, internalNotes, metadata, status },
      { displayNumber: NUMBER, title: RICH.title, reference: RICH.reference, terms: RICH.terms, internalNotes: INTERNAL_NOTES, metadata: METADATA, status: 'SENT' },
    ); // prettier-ignore
    assert.deepEqual(attachments.map(({ name }: { name: string }) => name), ['plano.pdf', 'fachada.png']); // prettier-ignore
  });

  for (const [format, size] of [
    ['LETTER', '612 792'],
    ['A4', '595.28 841.89'],
  ] as const) {
    it(`has all of them in its PDF on ${format}`, async () => {
      await service.http.request('PUT', '/api/settings', {
        headers: business.owner,
        body: { paperSize: format },
      });

      const { bytes } = await service.http.get(`/api/quotes/${quote.id}/pdf`, business.owner);

      assert.ok(bytes.toString('latin1').includes(`/MediaBox [0 0 ${size}]`));
      const { text, pages } = await readPdf(bytes);
      const body = text.replace(/\s+/g, ' ');
      for (const printed of PRINTED) assert.ok(body.includes(printed), `${printed} is not in ${body}`);
      for (const [, before] of LINES) assert.ok(body.includes(Number(before).toLocaleString('en-US', { minimumFractionDigits: 2 })), before); // prettier-ignore
      for (const printed of [NUMBER, RICH.title, RICH.reference, '12.3456 m²', '0.5 L', '$4,724.90 MXN (30 %)', 'plano.pdf', 'fachada.png', '90. Los trabajos'])
        assert.ok(body.includes(printed), `${printed} is not in ${body}`); // prettier-ignore
      assert.ok(pages.length > 2, `${pages.length} pages`);
      assertNothingInternal(body);
    });
  }

  it('is mailed with its number, title, total and deposit', async () => {
    const [mail, ...others] = await mailsTo(service, quote);

    assert.equal(others.length, 0);
    assert.ok(mail?.subject.includes(NUMBER), mail?.subject);
    assert.deepEqual(mail?.attachments.map(({ filename }) => filename), [`F-${year}-0001.pdf`]); // prettier-ignore
    const message = (await (await fetch(`${service.parts.inbox.apiUrl}/${mail?.id}`)).json()) as { text: string; html: string }; // prettier-ignore
    for (const text of [message.text, message.html.replaceAll('&nbsp;', ' ')]) {
      for (const printed of [RICH.title, '15,749.66', '4,724.90']) assert.ok(text.includes(printed), `${printed} is not in ${text}`); // prettier-ignore
      assertNothingInternal(text);
    }
  });

  it('reaches webhooks with all lines, reference and metadata, and without internal notes', async () => {
    const bodies = await eventually(() => {
      const received = endpoint.calls.map(({ body }) => JSON.parse(body));
      assert.deepEqual(
        new Set(received.map(({ event }) => event)),
        new Set(['quote.created', 'quote.sent', 'quote.status_changed']),
      );
      return received;
    });

    for (const { data } of bodies) {
      const { total, tax, shippingCost, items, displayNumber, reference, metadata } = data.quote;
      assert.deepEqual([total, tax, shippingCost], [Number(SUMS.total), Number(SUMS.tax), Number(SUMS.shippingCost)]);
      assert.deepEqual(
        items.map(({ unitPrice, quantity, unit, counts }: Record<string, unknown>) => [
          unitPrice,
          quantity,
          unit,
          counts,
        ]),
        RICH.items.map(({ unitPrice, quantity, unit }, index) => [
          unitPrice,
          quantity,
          unit ?? null,
          LINES[index]?.[2],
        ]),
      );
      assert.deepEqual([displayNumber, reference, metadata], [NUMBER, RICH.reference, METADATA]);
      assert.ok(!JSON.stringify(data).includes(INTERNAL_NOTES));
    }
  });

  it('reaches fire_webhook with the specified members of the lines that count', async () => {
    const sent = await eventually(() => {
      const [call] = fired.calls;
      assert.ok(call, 'no call');
      return JSON.parse(call.body).data.quote;
    });

    assert.deepEqual([sent.total, sent.subtotal], [Number(SUMS.total), Number(SUMS.subtotal)]);
    assert.deepEqual(
      sent.items,
      RICH.items
        .filter((_, index) => LINES[index]?.[2])
        .map(({ productName, model = null, unitPrice, quantity, discountPct = 0 }) => ({
          productName,
          model,
          unitPrice,
          quantity,
          discountPct,
        })),
    );
    assertNothingInternal(JSON.stringify(sent));
  });

  it('is read by the client with the same amounts, on the page and as JSON, without internal notes and metadata', async () => {
    const shown = answered(await service.http.get(portal), 200);
    const html = (await service.http.get(page)).bytes.toString();

    assert.deepEqual([sumsOf(shown), taxesOf(shown.taxes), linesOf(shown.items)], [SUMS, NUMERIC_TAXES, NUMERIC_LINES]);
    assert.deepEqual([shown.displayNumber, shown.title, shown.deposit.amount], [NUMBER, RICH.title, DEPOSIT]);
    const text = html.replace(/<[^>]*>/g, ' ').replace(/&nbsp;|\s+/g, ' ');
    for (const printed of PRINTED) assert.ok(text.includes(printed), `${printed} is not in ${text}`);
    for (const printed of ['12.3456 m²', 'plano.pdf', 'fachada.png', '4,724.90', '90. Los trabajos']) assert.ok(text.includes(printed), printed); // prettier-ignore
    assertNothingInternal(JSON.stringify(shown));
    assertNothingInternal(html);
  });

  it('is exported as CSV and XLSX with the sums of the lines that count', async () => {
    const { owner } = business;
    const query = `?reference=${RICH.reference}&metadata.pedido=${METADATA.pedido}`;
    const csv = (await service.http.get(`/api/quotes/export.csv${query}`, owner)).bytes.toString();
    const [header = [], row = [], ...others] = await readSheet((await service.http.get(`/api/quotes/export.xlsx${query}`, owner)).bytes); // prettier-ignore

    assert.equal(others.length, 0);
    const { subtotal, tax, shippingCost, total, discount } = SUMS;
    assert.ok(csv.includes(`,MXN,${subtotal},${tax},${shippingCost},${total},9,`), csv);
    assert.ok(csv.trimEnd().endsWith(`,${NUMBER},${RICH.title},${RICH.reference},${discount}`), csv);
    const cells = new Map(header.map((name, index) => [name, row[index]]));
    assert.deepEqual(
      ['Subtotal', 'Impuesto', 'Envío', 'Total', 'Descuento', 'Partidas'].map((name) => cells.get(name)),
      [...[subtotal, tax, shippingCost, total, discount].map(Number), 9],
    );
    assert.deepEqual(['Número visible', 'Título', 'Referencia'].map((name) => cells.get(name)), [NUMBER, RICH.title, RICH.reference]); // prettier-ignore
    assertNothingInternal(csv);
  });

  it('is found by its visible number, reference and metadata, and listed with its total', async () => {
    for (const query of [`search=${encodeURIComponent(NUMBER)}`, 'reference=OC-2041', 'metadata.canal=feria']) {
      const { data, total } = await read(`/api/quotes?${query}`);

      assert.deepEqual(
        [total, data[0].total, data[0].discount, data[0].title],
        [1, SUMS.total, SUMS.discount, RICH.title],
      );
    }
  });

  it('is duplicated with all amounts, the next number and the attachments, without internal notes', async () => {
    const { id } = await post(`/api/quotes/${quote.id}/duplicate`, {}, 201);

    const copy = await read(`/api/quotes/${id}`);
    assert.deepEqual([sumsOf(copy), taxesOf(copy.taxes), linesOf(copy.items), copy.deposit.amount], [SUMS, NUMERIC_TAXES, NUMERIC_LINES, DEPOSIT]); // prettier-ignore
    assert.deepEqual([copy.displayNumber, copy.internalNotes, copy.attachments.length], [`F/${year}-0002`, null, 2]);
  });

  it('becomes a template, and the quote of the template has the same amounts and its own reference', async () => {
    const { items, notes, shippingCost, shippingTaxes, discountPct, deposit, title, terms, internalNotes } = await read(
      `/api/quotes/${quote.id}`,
    );
    const members = ['productName', 'model', 'description', 'section', 'unit', 'quantity', 'unitPrice', 'discountPct', 'taxes', 'optional', 'choice', 'selected']; // prettier-ignore
    const lines = items.map((item: Record<string, unknown>) =>
      Object.fromEntries(
        members.flatMap((name) => {
          const value = ['unitPrice', 'discountPct'].includes(name) ? Number(item[name]) : item[name];
          return value === null ? [] : [[name, value]];
        }),
      ),
    );
    const template = await post(
      '/api/templates',
      {
        name: 'Oficinas',
        items: lines,
        notes,
        shippingCost: Number(shippingCost),
        shippingTaxes,
        discountPct: Number(discountPct),
        deposit: { type: deposit.type, value: Number(deposit.value), note: deposit.note },
        title,
        terms,
        internalNotes,
      },
      201,
    );
    const { client } = await read(`/api/quotes/${quote.id}`);

    const { id } = await post(
      '/api/connector/actions/create-from-template',
      { templateId: template.id, clientId: client.id, reference: 'OC-3000' },
      201,
    );

    const made = await read(`/api/quotes/${id}`);
    assert.deepEqual([sumsOf(made), taxesOf(made.taxes), linesOf(made.items), made.deposit.amount], [SUMS, NUMERIC_TAXES, NUMERIC_LINES, DEPOSIT]); // prettier-ignore
    const { reference, metadata, attachments, terms: termsOfMade } = made;
    assert.deepEqual([reference, metadata, attachments, termsOfMade], ['OC-3000', {}, [], RICH.terms]);
  });

  it('keeps its first version when it is revised, with what the revision does not name', async () => {
    const { client } = await read(`/api/quotes/${quote.id}`);
    const items = RICH.items.map((item) => ('optional' in item ? { ...item, selected: true } : item));

    await post(`/api/quotes/${quote.id}/revise`, { clientId: client.id, items, shippingCost: RICH.shippingCost }, 200);

    const [version] = await read(`/api/quotes/${quote.id}/versions`);
    assert.deepEqual(sumsOf(version.snapshot), SUMS);
    assert.deepEqual(
      [taxesOf(version.snapshot.taxes), linesOf(version.snapshot.items)],
      [NUMERIC_TAXES, NUMERIC_LINES],
    );
    const revised = await read(`/api/quotes/${quote.id}`);
    // The marble floor counts now: 861.75 and 137.88 of tax more.
    assert.deepEqual([revised.subtotal, revised.tax, revised.total], ['16007.70', '491.09', '16749.29']);
    assert.deepEqual([revised.version, revised.displayNumber, revised.deposit.amount], [2, NUMBER, '5024.79']);
    assert.deepEqual(
      [revised.internalNotes, revised.metadata, revised.attachments.length],
      [INTERNAL_NOTES, METADATA, 2],
    );
    answered(await share(service, business, quote), 200);
  });

  /** The fields of the page's form for what the client wants. */
  const selectionForm = async () => {
    const { items } = answered(await service.http.get(portal), 200);
    const wanted = (items as { id: string; choice: string | null; productName: string }[]).flatMap(
      (item, index, all) => {
        if (!WANTED.includes(item.productName)) return [];
        const first = all.findIndex(({ choice }) => choice === item.choice);
        return [[item.choice === null ? `line-${index}` : `group-${first}`, item.id] as const];
      },
    );
    return { fields: Object.fromEntries(wanted), ids: wanted.map(([, itemId]) => itemId) };
  };
  const send = async (form: string, fields: Readonly<Record<string, string>>) => {
    const { origin } = new URL((await read(`/api/quotes/${quote.id}/link`)).url);
    const body = new URLSearchParams(fields).toString();
    return service.http.request('POST', `${page}/${form}`, { headers: { Origin: origin, ...TYPED }, body });
  };

  it('shows the client the amounts of another selection, which exact fractions give, and stores none of them', async () => {
    const { fields, ids } = await selectionForm();
    const before = await read(`/api/quotes/${quote.id}`);

    const totals = answered(await service.http.post(`${portal}/totals`, { version: 2, selectedItemIds: ids }), 200);
    const html = (await send('totals', { ...fields, version: '2', shown: '' })).bytes.toString();

    const { subtotal, discount, tax, total, taxes, lines } = exactQuote(EXACT_SELECTION, EXACT_TERMS);
    const { shippingCost } = SELECTED_SUMS;
    assert.deepEqual({ subtotal, discount, tax, shippingCost, total }, SELECTED_SUMS);
    assert.deepEqual([sumsOf(totals), totals.deposit.amount], [SELECTED_SUMS, SELECTED_DEPOSIT]);
    assert.deepEqual(
      new Map(taxesOf(totals.taxes).map(([code, , , base, amount]) => [code, [base, amount]])),
      new Map(taxes.map(({ code, base, amount }) => [code, [Number(base), Number(amount)]])),
    );
    assert.deepEqual(totals.items.map((item: Item) => item.subtotal), lines); // prettier-ignore
    const text = html.replace(/<[^>]*>/g, ' ').replace(/&nbsp;|\s+/g, ' ');
    for (const printed of ['$15,631.09', '$16,321.61', '$4,896.48']) assert.ok(text.includes(printed), `${printed} is not in ${text}`); // prettier-ignore
    assert.deepEqual(await read(`/api/quotes/${quote.id}`), before);
  });

  it('is accepted with that selection: quote, event, signed PDF and mails have its amounts, and the mails the file of the evidence', async () => {
    const { fields, ids } = await selectionForm();
    const offered = await read(`/api/quotes/${quote.id}`);
    const signer = { signerName: 'Laura Méndez', signerEmail: quote.clientEmail, version: '2', consent: 'si' };

    const accepted = await send('accept', { ...fields, ...signer, shown: ids.join(',') });

    assert.equal(accepted.status, 303, accepted.bytes.toString());
    const stored = await read(`/api/quotes/${quote.id}`);
    assert.deepEqual(
      [stored.status, sumsOf(stored), stored.deposit.amount],
      ['ACCEPTED', SELECTED_SUMS, SELECTED_DEPOSIT],
    );
    const { bytes } = await service.http.get(`${page}/pdf`);
    const signed = await readPdf(bytes);
    for (const printed of ['Subtotal $15,631.09', 'Total $16,321.61 MXN', 'CONSTANCIA DE FIRMA', 'Laura Méndez'])
      assert.ok(signed.text.toUpperCase().includes(printed.toUpperCase()), `${printed} is not in ${signed.text}`);
    const evidence = await read(`/api/quotes/${quote.id}/signature/evidence`);
    assert.deepEqual(
      [evidence.selection.preset.total, evidence.selection.selected.total],
      [offered.total, SELECTED_SUMS.total],
    );
    const { items: selected } = evidence.selection.selected;
    assert.deepEqual(selected.map(({ id }: { id: string }) => id), ids); // prettier-ignore
    const event = await eventually(() => {
      const [call] = endpoint.calls
        .map(({ body }) => JSON.parse(body))
        .filter((body) => body.event === 'quote.accepted');
      assert.ok(call, 'no call');
      return call.data.quote;
    });
    // Events have no discount of the whole quote.
    const { discount: _, ...announced } = SELECTED_SUMS;
    assert.deepEqual(sumsOf(event), { ...numbersOf(announced), discount: undefined });
    const answers = await eventually(async () => {
      const mails = await service.parts.inbox.messages();
      const found = [business.email, quote.clientEmail].map((address) =>
        mails.find(({ to, subject }) => to.includes(address) && /aceptó|copia firmada/.test(subject)),
      );
      assert.ok(found.every(Boolean), mails.map(({ to, subject }) => `${to.join()}: ${subject}`).join('\n'));
      return found;
    });
    for (const mail of answers) {
      assert.ok(mail);
      assert.ok(mail.text?.includes('16,321.61'), mail.text ?? '');
      const file = await fetch(`${service.parts.inbox.apiUrl}/${mail.id}/attachments/0`);
      const hash = createHash('sha256')
        .update(Buffer.from(await file.arrayBuffer()))
        .digest('hex');
      assert.equal(hash, evidence.pdfSha256);
    }
    assert.equal(createHash('sha256').update(bytes).digest('hex'), evidence.pdfSha256);
    assertNothingInternal(JSON.stringify(evidence));
    assertNothingInternal(signed.text);
  });
});
