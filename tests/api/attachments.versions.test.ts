import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import { attach, form, pdf } from './attachment-files.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

needs('storage');

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const named = (name: string) => form(pdf({ mark: name }), name);

describe('Attachments of versions, duplicates and signatures', () => {
  let app: Service;
  let business: build.Business;
  let owner: build.Business['owner'];
  before(async () => {
    app = await service();
    business = await build.business();
    ({ owner } = business);
  });

  interface Named {
    readonly id: string;
    readonly name: string;
  }
  const namesOf = (list: readonly Named[]) => list.map(({ name }) => name);
  const attached = async (id: string, ...names: readonly string[]): Promise<Named[]> => {
    const list: Named[] = [];
    for (const name of names) list.push((await attach(app, owner, id, named(name))).body);
    return list;
  };
  const revise = (quote: { id: string; client: { id: string } }, body: object = {}) =>
    app.post(`/api/quotes/${quote.id}/revise`, { clientId: quote.client.id, items: [build.ITEM], ...body }, owner);

  it('a revision without attachmentIds keeps all of them', async () => {
    const quote = await build.quote(owner);
    await attached(quote.id, 'a.pdf', 'b.pdf');

    const { status, body } = await revise(quote);

    assert.deepEqual([status, namesOf(body.attachments)], [200, ['a.pdf', 'b.pdf']]);
  });

  it('a revision of a SENT quote removes, orders and adds; the version before keeps its own', async () => {
    const quote = await build.quote(owner);
    const [a, b, c] = await attached(quote.id, 'a.pdf', 'b.pdf', 'c.pdf');
    const draft = await build.quote(owner);
    const [fresh] = await attached(draft.id, 'nuevo.pdf');
    await build.patchQuote(business, quote.id, { status: 'SENT' });

    const { status, body } = await revise(quote, { attachmentIds: [c?.id, fresh?.id, a?.id] });

    assert.deepEqual([status, namesOf(body.attachments)], [200, ['c.pdf', 'nuevo.pdf', 'a.pdf']]);
    const { body: read } = await app.get(`/api/quotes/${quote.id}`, owner);
    assert.deepEqual(read.attachments, body.attachments);
    const [before] = (await app.get(`/api/quotes/${quote.id}/versions`, owner)).body;
    assert.deepEqual(namesOf(before.snapshot.attachments), ['a.pdf', 'b.pdf', 'c.pdf']);
    assert.equal(before.snapshot.attachments[1].sha256, sha256(pdf({ mark: 'b.pdf' })));
    const removed = await app.get(`/api/quotes/${quote.id}/attachments/${b?.id}`, owner);
    assert.deepEqual(removed.bytes, pdf({ mark: 'b.pdf' }));
    assert.deepEqual(namesOf((await app.get(`/api/quotes/${draft.id}`, owner)).body.attachments), ['nuevo.pdf']);
  });

  it('a revision with [] removes all', async () => {
    const quote = await build.quote(owner);
    await attached(quote.id, 'a.pdf');

    assert.deepEqual((await revise(quote, { attachmentIds: [] })).body.attachments, []);
  });

  it('a file removed after a revision stays in the version before', async () => {
    const quote = await build.quote(owner);
    const [a] = await attached(quote.id, 'a.pdf');
    await revise(quote);

    await app.request('DELETE', `/api/quotes/${quote.id}/attachments/${a?.id}`, { headers: owner });

    assert.deepEqual((await app.get(`/api/quotes/${quote.id}/attachments`, owner)).body, []);
    const old = await app.get(`/api/quotes/${quote.id}/attachments/${a?.id}`, owner);
    assert.deepEqual(old.bytes, pdf({ mark: 'a.pdf' }));
  });

  it('a revision answers 404 «Archivo no encontrado» to ids of other businesses and of hidden quotes', async () => {
    const other = await build.business();
    const theirs = (await attach(app, other.owner, (await build.quote(other.owner)).id)).body.id;
    const carlos = await build.member(business);
    const client = await build.client(owner);
    const own = await build.quote(carlos.as, { clientId: client.id });
    const hidden = (await attached((await build.quote(owner)).id, 'oculto.pdf'))[0]?.id;
    const asCarlos = (id: unknown) =>
      app.post(
        `/api/quotes/${own.id}/revise`,
        { clientId: client.id, items: [build.ITEM], attachmentIds: [id] },
        carlos.as,
      );

    const responses = [await asCarlos(theirs), await asCarlos(hidden), await asCarlos('nada')];

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.error]),
      responses.map(() => [404, 'Archivo no encontrado']),
    );
    assert.equal((await app.get(`/api/quotes/${own.id}`, carlos.as)).body.version, 1);
  });

  it('a revision answers 400 to six ids and to one id twice', async () => {
    const quote = await build.quote(owner);
    const [a] = await attached(quote.id, 'a.pdf');

    const six = await revise(quote, { attachmentIds: ['1', '2', '3', '4', '5', '6'] });
    const twice = await revise(quote, { attachmentIds: [a?.id, a?.id] });

    assert.deepEqual([six.status, twice.status], [400, 400]);
  });

  it('a duplicate has references to the same files, which outlive those of the source', async () => {
    const quote = await build.quote(owner);
    const [a] = await attached(quote.id, 'a.pdf', 'b.pdf');

    const { status, body } = await app.post(`/api/quotes/${quote.id}/duplicate`, undefined, owner);
    await app.request('DELETE', `/api/quotes/${quote.id}/attachments/${a?.id}`, { headers: owner });

    assert.deepEqual([status, namesOf(body.attachments)], [201, ['a.pdf', 'b.pdf']]);
    assert.notEqual(body.attachments[0].id, a?.id);
    const copy = await app.get(`/api/quotes/${body.id}/attachments/${body.attachments[0].id}`, owner);
    assert.deepEqual(copy.bytes, pdf({ mark: 'a.pdf' }));
  });

  it('the PDF lists them, and is drawn anew when they change', async () => {
    const quote = await build.quote(owner);
    const link = async () => new URL((await app.post(`/api/quotes/${quote.id}/pdf`, undefined, owner)).body.pdfUrl);
    const before = await link();
    await attached(quote.id, 'plano.pdf');

    const after = await link();

    assert.notEqual(before.pathname, after.pathname);
    const { text } = await readPdf((await app.get(`/api/quotes/${quote.id}/pdf`, owner)).bytes);
    assert.match(text, /ARCHIVOS ADJUNTOS\s+plano\.pdf\s+\(PDF, 1 kB\)/);
  });

  it('the evidence of a signature contains their hashes', async () => {
    const quote = await build.quote(owner);
    const [a] = await attached(quote.id, 'contrato.pdf');
    await build.patchQuote(business, quote.id, { status: 'SENT' });
    await app.post(`/api/portal/${quote.publicToken}/accept`, build.SIGNER);

    const { body } = await app.get(`/api/quotes/${quote.id}/signature/evidence`, owner);

    assert.equal(sha256(body.snapshot), body.snapshotSha256);
    const file = pdf({ mark: 'contrato.pdf' });
    assert.deepEqual(JSON.parse(body.snapshot).attachments, [
      { id: a?.id, name: 'contrato.pdf', contentType: 'application/pdf', sizeBytes: file.length, sha256: sha256(file) },
    ]);
  });

  it('the client reads the list and downloads the current files, with the link only', async () => {
    const quote = await build.quote(owner);
    const [a, b] = await attached(quote.id, 'a & b.pdf', 'viejo.pdf');
    await build.patchQuote(business, quote.id, { status: 'SENT' });
    await revise(quote, { attachmentIds: [a?.id] });
    const portal = `/api/portal/${quote.publicToken}`;
    const page = `/p/${quote.publicToken}`;

    const read = await app.get(portal);
    const html = (await app.get(page)).bytes.toString();
    const files = [await app.get(`${portal}/attachments/${a?.id}`), await app.get(`${page}/attachments/${a?.id}`)];
    const old = [await app.get(`${portal}/attachments/${b?.id}`), await app.get(`${page}/attachments/${b?.id}`)];

    assert.deepEqual(namesOf(read.body.attachments), ['a & b.pdf']);
    assert.match(html, /<h3>Archivos adjuntos<\/h3>/);
    assert.ok(html.includes(`href="${page}/attachments/${a?.id}" download="a &amp; b.pdf"`));
    for (const { status, headers, bytes } of files) {
      assert.deepEqual([status, headers.get('Content-Type')], [200, 'application/pdf']);
      assert.match(headers.get('Content-Disposition') ?? '', /^attachment; filename="a _ b.pdf"/);
      assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
      assert.deepEqual(bytes, pdf({ mark: 'a & b.pdf' }));
    }
    assert.deepEqual(
      old.map(({ status }) => status),
      [404, 404],
    );
  });

  it('the page names them in the language of the reader', async () => {
    const quote = await build.quote(owner);
    await attached(quote.id, 'a.pdf');
    await build.patchQuote(business, quote.id, { status: 'SENT' });

    const inLanguage = async (lang: string) => (await app.get(`/p/${quote.publicToken}?lang=${lang}`)).bytes.toString();

    assert.match(await inLanguage('en-US'), /<h3>Attachments<\/h3>/);
    assert.match(await inLanguage('pt-BR'), /<h3>Anexos<\/h3>/);
  });

  it('the client gets 404 before the quote is sent', async () => {
    const quote = await build.quote(owner);
    const [a] = await attached(quote.id, 'a.pdf');

    const responses = [
      await app.get(`/api/portal/${quote.publicToken}/attachments/${a?.id}`),
      await app.get(`/p/${quote.publicToken}/attachments/${a?.id}`),
    ];

    assert.deepEqual(
      responses.map(({ status }) => status),
      [404, 404],
    );
  });
});
