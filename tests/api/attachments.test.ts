import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { StoredFile } from '../../db/models/stored-file.ts';
import { needs } from '../stack.ts';
import { attach, form, image, pdf, photo } from './attachment-files.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

needs('storage');

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

describe('Attachments of a quote', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const listOf = async (as: build.Business['owner'], id: string) =>
    (await app.get(`/api/quotes/${id}/attachments`, as)).body;
  const filesOf = ({ tenantId }: build.Business) =>
    app.deps.withTenant(tenantId, (trx) => StoredFile.query(trx).where({ tenantId, kind: 'attachment' }));

  it('POST answers 201 with the stored file, which reads of the quote list', async () => {
    const { owner, tenantId } = await build.business();
    const { id } = await build.quote(owner);

    const res = await attach(app, owner, id);

    assert.equal(res.status, 201);
    const { id: attachmentId, createdAt, ...facts } = res.body;
    assert.match(attachmentId, /^c/);
    assert.match(createdAt, /Z$/);
    assert.deepEqual(facts, {
      name: 'plano.pdf',
      contentType: 'application/pdf',
      sizeBytes: pdf().length,
      sha256: sha256(pdf()),
    });
    assert.deepEqual(await listOf(owner, id), [res.body]);
    assert.deepEqual((await app.get(`/api/quotes/${id}`, owner)).body.attachments, [res.body]);
    assert.deepEqual(await app.deps.storage.get(`t/${tenantId}/${sha256(pdf())}`), pdf());
  });

  it('records an audit entry of each change', async () => {
    const business = await build.business();
    const { owner } = business;
    const { id } = await build.quote(owner);
    const { body } = await attach(app, owner, id);

    await app.request('DELETE', `/api/quotes/${id}/attachments/${body.id}`, { headers: owner });

    const [, added, removed] = await auditOf(business, id);
    const summary = { id: body.id, name: 'plano.pdf', sha256: body.sha256, sizeBytes: body.sizeBytes };
    assert.deepEqual([added?.action, added?.metadata], ['update', { quoteNumber: 1, attachmentAdded: summary }]);
    assert.deepEqual([removed?.action, removed?.metadata], ['update', { quoteNumber: 1, attachmentRemoved: summary }]);
  });

  it('are served as a download with our own type, and never sniffed', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const { body } = await attach(app, owner, id, form(pdf(), 'plano año 1.pdf', 'text/html'));

    const res = await app.get(`/api/quotes/${id}/attachments/${body.id}`, owner);

    assert.equal(res.status, 200);
    assert.deepEqual(res.bytes, pdf());
    const header = (name: string) => res.headers.get(name);
    assert.equal(header('Content-Type'), 'application/pdf');
    assert.equal(
      header('Content-Disposition'),
      `attachment; filename="plano a_o 1.pdf"; filename*=UTF-8''plano%20a%C3%B1o%201.pdf`,
    );
    assert.equal(header('X-Content-Type-Options'), 'nosniff');
    assert.equal(header('Content-Security-Policy'), "default-src 'none'; sandbox");
    assert.equal(header('Cache-Control'), 'private, no-store');
  });

  it('images are encoded again in their format, without metadata', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const original = await photo();
    assert.ok(original.includes('CamaraSecreta'));

    const { body } = await attach(app, owner, id, form(original, 'foto', 'image/jpeg'));
    const second = await attach(app, owner, id, form(await image(), 'marca.exe', 'application/x-msdownload'));

    const { bytes } = await app.get(`/api/quotes/${id}/attachments/${body.id}`, owner);
    assert.ok(!bytes.includes('CamaraSecreta'));
    const { format, width, height, exif } = await sharp(bytes).metadata();
    assert.deepEqual({ format, width, height, exif }, { format: 'jpeg', width: 60, height: 40, exif: undefined });
    assert.deepEqual([body.name, body.contentType, body.sha256], ['foto.jpg', 'image/jpeg', sha256(bytes)]);
    assert.deepEqual([second.body.name, second.body.contentType], ['marca.exe.png', 'image/png']);
  });

  it('equal files of a business are one object with two references', async () => {
    const business = await build.business();
    const [one, two] = [await build.quote(business.owner), await build.quote(business.owner)];

    await attach(app, business.owner, one.id);
    await attach(app, business.owner, two.id, form(pdf(), 'otro.pdf'));

    assert.equal((await filesOf(business)).length, 1);
    assert.deepEqual(
      (await listOf(business.owner, two.id)).map((file: { name: string }) => file.name),
      ['otro.pdf'],
    );
  });

  describe('POST refuses', () => {
    let business: build.Business;
    let id: string;
    before(async () => {
      business = await build.business();
      ({ id } = await build.quote(business.owner));
    });

    const TYPE = 'Tipo de archivo no permitido. Use PDF, PNG o JPG.';
    const PROTECTED = 'El PDF está protegido con contraseña o permisos; quítele la protección e intente de nuevo';
    const REFUSED: readonly (readonly [string, () => Buffer | Promise<Buffer>, number, string])[] = [
      ['an HTML page named plano.pdf', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 400, TYPE],
      ['a program', () => Buffer.from('MZ\x90\0\x03\0\0\0'), 400, TYPE],
      ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400, TYPE],
      ['a WebP', () => sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).webp().toBuffer(), 400, TYPE], // prettier-ignore
      ['a ZIP with the bytes of a PDF behind', () => Buffer.concat([Buffer.from('PK\x03\x04'), pdf()]), 400, TYPE],
      ['a cut PNG', async () => (await image()).subarray(0, 60), 400, TYPE],
      ['a cut PDF', () => pdf().subarray(0, 200), 400, 'El PDF está incompleto'],
      ['an encrypted PDF', () => pdf({ trailer: '/Encrypt 3 0 R' }), 400, PROTECTED],
      ['an encrypted PDF with an escaped name', () => pdf({ trailer: '/#45ncr#79pt % x\n3 0 R' }), 400, PROTECTED],
      ['an encrypted PDF with an inline dictionary', () => pdf({ trailer: '/Encrypt<</V 2>>' }), 400, PROTECTED],
      ['5.1 MB', () => pdf({ bytes: 5.1 * 1024 * 1024 }), 413, 'Solicitud demasiado grande'],
      ['5 MB and a byte', () => pdf({ bytes: 5 * 1024 * 1024 + 300 }), 413, 'Solicitud demasiado grande'],
      ['an empty file', () => Buffer.alloc(0), 400, 'No se proporcionó un archivo'],
    ];
    for (const [what, file, status, error] of REFUSED) {
      it(`${status} «${error}» to ${what}, and stores nothing`, async () => {
        const res = await attach(app, business.owner, id, form(await file()));

        assert.deepEqual([res.status, res.body.error], [status, error]);
        assert.deepEqual([await listOf(business.owner, id), await filesOf(business)], [[], []]);
      });
    }

    it('400 «No se proporcionó un archivo» with the right name of the field to a file in another one', async () => {
      const data = new FormData();
      data.set('archivo', new Blob([new Uint8Array(pdf())]), 'a.pdf');

      const res = await attach(app, business.owner, id, data);

      assert.deepEqual([res.status, res.body.error], [400, 'No se proporcionó un archivo']);
      const details = [{ path: 'archivo', message: 'el campo del archivo se llama «file»' }];
      assert.deepEqual([res.body.reason, res.body.details], ['file_field_wrong', details]);
    });

    it('400 with the size of an image of more than 25 megapixels', async () => {
      const large = await sharp({ create: { width: 6_000, height: 5_000, channels: 3, background: 'red' } })
        .png()
        .toBuffer();

      const res = await attach(app, business.owner, id, form(large));

      assert.equal(res.status, 400);
      assert.match(res.body.error, /30 megapíxeles/);
    });

    it('409 «Una cotización admite a lo más 5 archivos» to a sixth one', async () => {
      const quote = await build.quote(business.owner);
      for (const n of [1, 2, 3, 4, 5]) await attach(app, business.owner, quote.id, form(pdf({ mark: `${n}` })));

      const res = await attach(app, business.owner, quote.id);

      assert.deepEqual([res.status, res.body.error], [409, 'Una cotización admite a lo más 5 archivos']);
      assert.equal(res.body.reason, 'attachment_limit_reached');
      assert.equal((await listOf(business.owner, quote.id)).length, 5);
    });

    it('409 «Los archivos de una cotización suman a lo más 10 MB» to the file that exceeds them', async () => {
      const quote = await build.quote(business.owner);
      const large = (mark: string) => form(pdf({ bytes: 4 * 1024 * 1024, mark }));
      for (const mark of ['a', 'b'])
        assert.equal((await attach(app, business.owner, quote.id, large(mark))).status, 201);

      const res = await attach(app, business.owner, quote.id, large('c'));

      assert.deepEqual([res.status, res.body.error], [409, 'Los archivos de una cotización suman a lo más 10 MB']);
      assert.equal(res.body.reason, 'attachments_too_large');
    });
  });

  it('5 MB exactly are accepted', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const file = pdf({ bytes: 5 * 1024 * 1024 });
    const exact = Buffer.concat([file, Buffer.alloc(5 * 1024 * 1024 - file.length, '\n')]);

    const { status, body } = await attach(app, owner, id, form(exact));

    assert.deepEqual([status, body.sizeBytes], [201, 5 * 1024 * 1024]);
  });

  describe('may be changed', () => {
    const outcomes = async (business: build.Business, id: string, attachmentId: string) => {
      const added = await attach(app, business.owner, id);
      const path = `/api/quotes/${id}/attachments/${attachmentId}`;
      const removed = await app.request('DELETE', path, { headers: business.owner });
      return [added.status, removed.status, added.body.error, removed.body.error];
    };
    const FIXED = 'Los archivos de una cotización enviada solo cambian al revisarla';

    it('on FREE while the quote is SENT', async () => {
      const business = await build.business({ plan: 'FREE' });
      const { id } = await build.quote(business.owner);
      const { body } = await attach(app, business.owner, id);
      await build.patchQuote(business, id, { status: 'SENT' });

      assert.deepEqual(await outcomes(business, id, body.id), [201, 200, undefined, undefined]);
    });

    it('on PRO not while it is SENT', async () => {
      const business = await build.business();
      const { id } = await build.quote(business.owner);
      const { body } = await attach(app, business.owner, id);
      await build.patchQuote(business, id, { status: 'SENT' });

      assert.deepEqual(await outcomes(business, id, body.id), [400, 400, FIXED, FIXED]);
      assert.equal((await listOf(business.owner, id)).length, 1);
    });

    it('never when it is final', async () => {
      const business = await build.business({ plan: 'FREE' });
      const { id } = await build.quote(business.owner);
      const { body } = await attach(app, business.owner, id);
      await build.patchQuote(business, id, { status: 'WON' });

      const sentence = 'No se puede cambiar de WON a GENERATED';
      assert.deepEqual(await outcomes(business, id, body.id), [400, 400, sentence, sentence]);
    });

    it('by collaborators on their own quotes only', async () => {
      const business = await build.business();
      const carlos = await build.member(business);
      const foreign = await build.quote(business.owner);
      const client = await build.client(business.owner);
      const own = await build.quote(carlos.as, { clientId: client.id });

      const hidden = await attach(app, carlos.as, foreign.id);
      const allowed = await attach(app, carlos.as, own.id);

      assert.deepEqual([hidden.status, hidden.body.error, allowed.status], [404, 'Cotización no encontrada', 201]);
    });
  });

  it('answer 404 «Archivo no encontrado» for one of another quote', async () => {
    const { owner } = await build.business();
    const [one, two] = [await build.quote(owner), await build.quote(owner)];
    const { body } = await attach(app, owner, one.id);
    const path = `/api/quotes/${two.id}/attachments/${body.id}`;

    const read = await app.get(path, owner);
    const removed = await app.request('DELETE', path, { headers: owner });

    assert.deepEqual([read.status, read.body.error], [404, 'Archivo no encontrado']);
    assert.deepEqual([removed.status, removed.body.error], [404, 'Archivo no encontrado']);
  });
});
