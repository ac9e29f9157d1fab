import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { Signature } from '../../db/models/signature.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Response, type Service, service } from './service.ts';
import { auditOf, eventsOf, storedQuote } from './stored.ts';

needs('storage');

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** Magic bytes of image files. */
const IMAGE = 'data:image/png;base64,';

describe('POST /api/portal/:token/accept', () => {
  let app: Service;
  let owning: build.Business;
  /** A SENT quote for acceptances that are refused. */
  let refusing: Awaited<ReturnType<typeof build.sentQuote>>;
  before(async () => {
    app = await service();
    owning = await build.business();
    refusing = await build.sentQuote(owning);
  });

  const signatures = ({ tenantId }: build.Business, quoteId: string) =>
    app.deps.withTenant(tenantId, (trx) => Signature.query(trx).where({ tenantId, quoteId }));
  const typesOf = async (business: build.Business, id: string) =>
    (await eventsOf(business, id)).map(({ type }) => type);

  it('answers 200 {status, version, signedAt}; the quote is ACCEPTED, with one audit entry of the portal, the answer and two events', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    const res = await app.post(`${portal}/accept`, build.SIGNER);

    const { signedAt } = res.body;
    assert.deepEqual([res.status, res.body], [200, { status: 'ACCEPTED', version: 1, signedAt }]);
    const stored = await storedQuote(business, id);
    assert.deepEqual([stored.status, stored.answeredAt?.toISOString()], ['ACCEPTED', signedAt]);
    const [signature] = await signatures(business, id);
    const moves = (await auditOf(business, id)).filter(({ action }) => action === 'status_change');
    assert.deepEqual(
      moves.map(({ actor, userId, metadata }) => ({ actor, userId, metadata })),
      [
        {
          actor: 'portal',
          userId: null,
          metadata: {
            quoteNumber: 1,
            from: 'SENT',
            to: 'ACCEPTED',
            version: 1,
            signatureId: signature?.id,
            pdfSha256: signature?.pdfSha256,
          },
        },
      ],
    );
    const [, changed, accepted, ...more] = await eventsOf(business, id);
    assert.deepEqual([changed?.type, changed?.body.data.previousStatus, more], ['quote.status_changed', 'SENT', []]);
    const answer = {
      outcome: 'ACCEPTED',
      at: signedAt,
      version: 1,
      signerName: build.SIGNER.signerName,
      signerEmail: build.SIGNER.signerEmail,
      reason: null,
    };
    assert.deepEqual([accepted?.type, accepted?.body.data.quote?.['answer']], ['quote.accepted', answer]);
    assert.deepEqual((await app.get(`/api/quotes/${id}`, business.owner)).body.answer, answer);
    assert.equal(changed?.body.data.quote?.['status'], 'ACCEPTED');
  });

  it('stores the evidence: version, consent text, address, browser, and hashes of the content and the document', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    const headers = { 'User-Agent': 'Navegador de prueba' };

    await app.request('POST', `${portal}/accept`, { headers, body: build.SIGNER });

    const [signature] = await signatures(business, id);
    assert.ok(signature);
    const { type, data, signerName, signerEmail, version, ip, userAgent } = signature;
    const { signerName: name, signerEmail: email } = build.SIGNER;
    assert.deepEqual(
      { type, data: data?.slice(0, IMAGE.length), signerName, signerEmail, version, userAgent },
      {
        type: 'typed',
        data: IMAGE,
        signerName: name,
        signerEmail: email,
        version: 1,
        userAgent: 'Navegador de prueba',
      },
    );
    assert.match(ip, /127\.0\.0\.1/);
    assert.match(signature.consentText, /^Acepto la cotización COT-1, versión 1, por un total de \$232\.00 MXN/);
    assert.equal(signature.snapshotSha256, sha256(signature.snapshot));
    assert.equal(JSON.parse(signature.snapshot).total, '232.00');
    assert.equal(signature.pdfSha256, sha256((await app.get(`${portal}/pdf`)).bytes));
  });

  it('shows the signer to later readers of the quote', async () => {
    const { portal } = await build.sentQuote(await build.business());
    const { signedAt } = (await app.post(`${portal}/accept`, build.SIGNER)).body;

    const { body } = await app.get(portal);

    assert.deepEqual([body.status, body.canRespond], ['ACCEPTED', false]);
    assert.deepEqual(body.signature, { signerName: 'Laura Méndez', signedAt });
  });

  it('a repeated acceptance gets the same response and has no second effect', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    const first = await app.post(`${portal}/accept`, build.SIGNER);

    const again = await app.post(`${portal}/accept`, { ...build.SIGNER, signerName: 'Otra Persona' });

    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.deepEqual(
      (await signatures(business, id)).map(({ signerName }) => signerName),
      ['Laura Méndez'],
    );
    assert.deepEqual(await typesOf(business, id), ['quote.created', 'quote.status_changed', 'quote.accepted']);
  });

  it('twenty concurrent acceptances have one effect: one status change, signature, audit entry and event', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    const responses = await Promise.all(Array.from({ length: 20 }, () => app.post(`${portal}/accept`, build.SIGNER)));

    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(responses.map(({ body }) => body.signedAt)).size, 1);
    assert.equal((await signatures(business, id)).length, 1);
    assert.equal((await auditOf(business, id)).filter(({ action }) => action === 'status_change').length, 1);
    assert.deepEqual(await typesOf(business, id), ['quote.created', 'quote.status_changed', 'quote.accepted']);
  });

  it('of a concurrent acceptance and rejection one wins, the other answers 409 «La cotización ya fue respondida»', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    const responses = await Promise.all([app.post(`${portal}/accept`, build.SIGNER), app.post(`${portal}/reject`, {})]);

    const won = responses.filter(({ status }) => status === 200);
    const lost = responses.filter(({ status }) => status !== 200);
    assert.deepEqual(
      lost.map(({ status, body }) => [status, body.error]),
      [[409, 'La cotización ya fue respondida']],
    );
    const status = won[0]?.body.status;
    assert.equal((await storedQuote(business, id)).status, status);
    const answered = status === 'ACCEPTED' ? 'quote.accepted' : 'quote.rejected';
    assert.deepEqual(await typesOf(business, id), ['quote.created', 'quote.status_changed', answered]);
    assert.equal((await signatures(business, id)).length, status === 'ACCEPTED' ? 1 : 0);
  });

  /** Returns the error of a refused acceptance and checks that it had no effect. */
  const refused = async (business: build.Business, id: string, res: Response) => ({
    response: [res.status, res.body.error],
    signatures: (await signatures(business, id)).length,
  });

  it('answers 409 «La versión de la cotización cambió» to the acceptance of an older version', async () => {
    const business = await build.business();
    const { id, portal, client } = await build.sentQuote(business);
    await app.post(`/api/quotes/${id}/revise`, { clientId: client.id, items: [build.ITEM] }, business.owner);

    const res = await app.post(`${portal}/accept`, build.SIGNER);

    const response = [409, 'La versión de la cotización cambió'];
    assert.deepEqual(await refused(business, id, res), { response, signatures: 0 });
    assert.equal((await app.post(`${portal}/accept`, { ...build.SIGNER, version: 2 })).status, 200);
  });

  it('answers 410 «La cotización venció» at expiry and later, and 200 a minute before', async () => {
    const business = await build.business();
    const later = await build.sentQuote(business);
    const late = await build.sentQuote(business);
    const early = await build.sentQuote(business);
    await build.patchQuote(business, later.id, { expiresAt: new Date(Date.now() - 1_000) });
    await build.patchQuote(business, late.id, { expiresAt: new Date() });
    await build.patchQuote(business, early.id, { expiresAt: new Date(Date.now() + 60_000) });

    const muchTooLate = await app.post(`${later.portal}/accept`, build.SIGNER);
    const tooLate = await app.post(`${late.portal}/accept`, build.SIGNER);
    const inTime = await app.post(`${early.portal}/accept`, build.SIGNER);

    const refusal = { response: [410, 'La cotización venció'], signatures: 0 };
    assert.deepEqual(await refused(business, later.id, muchTooLate), refusal);
    assert.deepEqual(await refused(business, late.id, tooLate), refusal);
    assert.equal((await storedQuote(business, late.id)).status, 'SENT');
    assert.equal(inTime.status, 200);
  });

  it('a repeated acceptance after expiry answers 200', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await app.post(`${portal}/accept`, build.SIGNER);
    await build.patchQuote(business, id, { expiresAt: new Date(0) });

    assert.equal((await app.post(`${portal}/accept`, build.SIGNER)).status, 200);
  });

  it('answers 404 «Cotización no encontrada» for an unknown token, a draft, a replaced link and a FREE business on each route, and changes nothing', async () => {
    const business = await build.business();
    const draft = await build.quote(business.owner);
    const rotated = await build.sentQuote(business);
    await app.post(`/api/quotes/${rotated.id}/link/rotate`, {}, business.owner);
    const free = await build.business();
    const onFree = await build.sentQuote(free);
    await build.patchTenant(free, { plan: 'FREE' });

    const guesses = ['A'.repeat(43), draft.id, `${rotated.publicToken.slice(0, -2)}zz`];
    const paths = [
      ...[draft.publicToken, ...guesses].map((token) => `/api/portal/${token}`),
      rotated.portal,
      onFree.portal,
    ];
    const responses = await Promise.all(
      paths.flatMap((path) => [
        app.get(path),
        app.get(`${path}/pdf`),
        app.post(`${path}/accept`, build.SIGNER),
        app.post(`${path}/reject`, {}),
      ]),
    );

    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.error]),
      responses.map(() => [404, 'Cotización no encontrada']),
    );
    assert.equal((await storedQuote(business, rotated.id)).status, 'SENT');
    assert.equal((await storedQuote(business, draft.id)).status, 'GENERATED');
    assert.deepEqual(await signatures(business, rotated.id), []);
  });

  it('answers 403 «Origen no permitido» to a request from another site', async () => {
    const { portal } = await build.sentQuote(await build.business());
    const headers = { Origin: 'https://otro.example', 'Sec-Fetch-Site': 'cross-site' };

    const res = await app.request('POST', `${portal}/accept`, { headers, body: build.SIGNER });

    assert.deepEqual([res.status, res.body.error], [403, 'Origen no permitido']);
  });

  describe('a drawn signature', () => {
    for (const kind of ['png', 'jpeg'] as const) {
      it(`is accepted as ${kind.toUpperCase()} and stored as a re-encoded PNG`, async () => {
        const business = await build.business();
        const { id, portal } = await build.sentQuote(business);
        const data = await build.signatureUrl(kind);

        const res = await app.post(`${portal}/accept`, { ...build.SIGNER, signature: { type: 'drawn', data } });

        assert.equal(res.status, 200);
        const { signature } = (await app.get(`/api/quotes/${id}/signature`, business.owner)).body;
        assert.equal(signature.type, 'drawn');
        assert.match(signature.data, /^data:image\/png;base64,/);
        assert.notEqual(signature.data, data);
        const image = await sharp(Buffer.from(signature.data.split(',')[1], 'base64')).metadata();
        assert.deepEqual([image.format, image.hasAlpha], ['png', false]);
      });
    }

    const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>';
    const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
    const bad: Record<string, () => Promise<string> | string> = {
      'an SVG': () => `data:image/svg+xml;base64,${base64(SVG)}`,
      'an SVG declared as PNG': () => `data:image/png;base64,${base64(SVG)}`,
      'text instead of an image': () => `data:image/png;base64,${base64('hola')}`,
      'a truncated PNG': async () => (await build.signatureUrl()).slice(0, 200),
      'a URL': () => 'https://example.com/firma.png',
      'a GIF': () => `data:image/gif;base64,R0lGODlhAQABAAAAACw=`,
      'empty paper': async () => {
        const image = sharp({ create: { width: 300, height: 90, channels: 3, background: '#fff' } });
        return `data:image/png;base64,${base64(await image.png().toBuffer())}`;
      },
      'a decompression bomb of 100 million pixels': async () => {
        const image = sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#000' } });
        return `data:image/png;base64,${base64(await image.png().toBuffer())}`;
      },
    };
    for (const [what, make] of Object.entries(bad)) {
      it(`that is ${what} answers 400 «signature.data: debe ser una imagen PNG o JPEG con la firma»`, async () => {
        const signature = { type: 'drawn', data: await make() };

        const res = await app.post(`${refusing.portal}/accept`, { ...build.SIGNER, signature });

        const response = [400, 'signature.data: debe ser una imagen PNG o JPEG con la firma'];
        assert.deepEqual(await refused(owning, refusing.id, res), { response, signatures: 0 });
      });
    }

    it('of more than 512 kB answers 400 «signature.data: debe pesar como máximo 512 kB»', async () => {
      const { portal } = await build.sentQuote(await build.business());
      const data = `data:image/png;base64,${base64(Buffer.alloc(512 * 1024 + 1, 7))}`;

      const res = await app.post(`${portal}/accept`, { ...build.SIGNER, signature: { type: 'drawn', data } });

      assert.deepEqual([res.status, res.body.error], [400, 'signature.data: debe pesar como máximo 512 kB']);
    });

    it('of exactly 512 kB answers 200 as JSON, and 303 as a form', async () => {
      const image = Buffer.alloc(512 * 1024);
      // Bytes after the end of the image are ignored.
      Buffer.from((await build.signatureUrl()).split(',')[1] ?? '', 'base64').copy(image);
      const data = `data:image/png;base64,${base64(image)}`;
      const [json, form] = [
        await build.sentQuote(await build.business()),
        await build.sentQuote(await build.business()),
      ];

      const responses = [
        await app.post(`${json.portal}/accept`, { ...build.SIGNER, signature: { type: 'drawn', data } }),
        await app.request('POST', `${form.page}/accept`, {
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
          body: new URLSearchParams({
            ...build.SIGNER,
            version: '1',
            consent: 'si',
            signatureType: 'drawn',
            signatureData: data,
          }).toString(),
        }),
      ];

      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 303],
      );
    });
  });

  it('stores a typed signature and shows it to the owner', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    await app.post(`${portal}/accept`, { ...build.SIGNER, signature: { type: 'typed', data: 'L. Méndez' } });

    const { signature } = (await app.get(`/api/quotes/${id}/signature`, business.owner)).body;
    assert.deepEqual([signature.type, signature.data.slice(0, IMAGE.length)], ['typed', IMAGE]);
    assert.equal((await signatures(business, id))[0]?.typedText, 'L. Méndez');
  });

  const wrong: [object, string][] = [
    [{ signerName: '  ' }, 'signerName'],
    [{ signerName: undefined }, 'signerName'],
    [{ signerName: 'x'.repeat(201) }, 'signerName'],
    [{ signerEmail: 'laura' }, 'signerEmail'],
    [{ signerEmail: undefined }, 'signerEmail'],
    [{ version: undefined }, 'version'],
    [{ version: '1' }, 'version'],
    [{ version: 0 }, 'version'],
    [{ signature: { type: 'huella', data: 'x' } }, 'signature'],
    [{ signature: { type: 'drawn' } }, 'signature'],
  ];
  for (const [change, member] of wrong) {
    it(`answers 400 with «${member}» for ${JSON.stringify(change).slice(0, 60)}`, async () => {
      const res = await app.post(`${refusing.portal}/accept`, { ...build.SIGNER, ...change });

      assert.equal(res.status, 400);
      assert.match(res.body.error, new RegExp(`^${member}`));
    });
  }
});
