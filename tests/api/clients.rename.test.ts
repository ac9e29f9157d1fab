import assert from 'node:assert/strict';
import { composeQuoteMail } from '../../adapters/mail/quote-mail.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

needs('storage');

describe('Renaming a client', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const rename = ({ owner }: build.Business, id: string, fields: object) =>
    app.patch(`/api/clients/${id}`, fields, owner);
  const send = ({ owner }: build.Business, id: string) =>
    app.patch(`/api/quotes/${id}/status`, { status: 'SENT' }, owner);
  const numbersFound = async ({ owner }: build.Business, search: string): Promise<readonly number[]> => {
    const { body } = await app.get(`/api/quotes?search=${encodeURIComponent(search)}&sort=quoteNumber`, owner);
    assert.equal(body.total, body.data.length);
    return body.data.map(({ quoteNumber }: { quoteNumber: number }) => quoteNumber);
  };
  const pdfText = async ({ owner }: build.Business, id: string) =>
    (await readPdf((await app.get(`/api/quotes/${id}/pdf`, owner)).bytes)).text;
  const mailText = ({ tenantId }: build.Business, id: string) =>
    app.deps.withTenant(tenantId, async (trx) => {
      const drawing = await readQuoteDrawing(trx, id);
      assert.ok(drawing);
      const parts = { drawing, portalUrl: null, logo: null, pdf: Buffer.from('%PDF') };
      return composeQuoteMail({ ...parts, messageId: '<a.1@x.test>' }).text;
    });

  /** A quote that was sent before the renaming, and an unsent one. */
  async function renamed(plan: 'FREE' | 'PRO' = 'PRO') {
    const business = await build.business({ plan });
    const { id: clientId } = await build.client(business.owner, {
      contactName: 'Laura Mendes',
      companyName: 'La Plama',
    });
    const sent = await build.quote(business.owner, { clientId });
    await send(business, sent.id);
    const open = await build.quote(business.owner, { clientId });
    await rename(business, clientId, { contactName: 'Laura Méndez', companyName: 'La Palma' });
    return { business, clientId, sent, open };
  }

  it('changes PDF and mail of an unsent quote, on FREE too', async () => {
    const { business, open } = await renamed('FREE');

    const [text, mail] = [await pdfText(business, open.id), await mailText(business, open.id)];

    assert.match(text, /La Palma Laura Méndez/);
    assert.match(mail, /Hola, Laura Méndez:[^]*Para: La Palma/);
    assert.doesNotMatch(text + mail, /Mendes|Plama/);
  });

  it('does not change PDF, mail and page of a sent quote', async () => {
    const { business, sent } = await renamed();

    const [text, mail] = [await pdfText(business, sent.id), await mailText(business, sent.id)];
    const page = (await app.get(`/p/${sent.publicToken}`)).bytes.toString();
    const portal = await app.get(`/api/portal/${sent.publicToken}`);

    assert.match(text, /La Plama Laura Mendes/);
    assert.match(mail, /Hola, Laura Mendes:/);
    assert.match(page, /Laura Mendes/);
    assert.deepEqual(portal.body.client, { contactName: 'Laura Mendes', companyName: 'La Plama' });
  });

  it('a sent quote keeps its names after another renaming of the client', async () => {
    const { business, clientId, open } = await renamed();
    await send(business, open.id);

    await rename(business, clientId, { contactName: 'Otra Persona', companyName: null });

    assert.match(await pdfText(business, open.id), /La Palma Laura Méndez/);
    assert.match(await mailText(business, open.id), /Hola, Laura Méndez:/);
  });

  it('search finds a sent quote by both names, an unsent one only by the new name', async () => {
    const { business, sent, open } = await renamed();

    const found = await Promise.all(
      ['mendez', 'MÉNDES', 'palma', 'plama', 'Laura'].map((term) => numbersFound(business, term)),
    );

    const both = [sent.quoteNumber, open.quoteNumber];
    assert.deepEqual(found, [both, [sent.quoteNumber], both, [sent.quoteNumber], both]);
  });

  it('search finds a sent quote by its name at sending after two renames', async () => {
    const { business, clientId, sent, open } = await renamed();
    await send(business, open.id);
    await rename(business, clientId, { companyName: 'Grupo Tres' });

    const found = await Promise.all(['plama', 'palma', 'grupo'].map((term) => numbersFound(business, term)));

    assert.deepEqual(found, [[sent.quoteNumber], [open.quoteNumber], [sent.quoteNumber, open.quoteNumber]]);
  });

  it('changes nothing in the search when another member of the client changes', async () => {
    const { business, clientId, sent, open } = await renamed();

    await rename(business, clientId, { phone: '55 1234', notes: 'plama' });

    assert.deepEqual(await numbersFound(business, 'palma'), [sent.quoteNumber, open.quoteNumber]);
  });

  it('a revision gives a sent quote the new names', async () => {
    const { business, clientId, sent } = await renamed();

    await app.post(`/api/quotes/${sent.id}/revise`, { clientId, items: [build.ITEM] }, business.owner);

    assert.match(await pdfText(business, sent.id), /La Palma Laura Méndez/);
    assert.deepEqual(await numbersFound(business, 'plama'), []);
  });
});
