import assert from 'node:assert/strict';
import { readPdf } from '../adapters/pdf-text.ts';
import { receiver } from '../api/receiver.ts';
import { eventually } from '../eventually.ts';
import { type Installation, installation } from '../journey/installation.ts';
import { open } from './browser.ts';
import { acceptButton } from './form.ts';
import { colleague, linkIn, mailsTo, pdfIn, sha256 } from './mails.ts';
import { CHANGED, change, OFFER, PRESET, totalOf, untilTotal } from './offer.ts';
import { business, draft } from './world.ts';

const SUMS = { subtotal: '1150.00', tax: '184.00', total: '1334.00' };

interface Chosen {
  readonly items: readonly { readonly productName: string }[];
  readonly total: string;
}

describe('response of a client, from the mailed link to the mails about it', () => {
  let service: Installation;
  before(async () => {
    service = await installation();
  });

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    it(`a selection made ${how} JavaScript is signed: owner, creator and signer get the file of the evidence; quote, event and PDF have its totals`, async () => {
      const of = await business();
      const creator = await colleague(of);
      await using endpoint = await receiver();
      const events = ['quote.accepted'];
      assert.equal((await service.http.post('/api/webhooks', { url: endpoint.url, events }, of.owner)).status, 201);
      const { id, clientEmail } = await draft({ ...of, owner: creator.as }, OFFER);
      const sharing = { message: 'Elija el acabado que prefiera.' };
      assert.equal((await service.http.post(`/api/quotes/${id}/share`, sharing, creator.as)).status, 200);
      const [mail] = await mailsTo(clientEmail, 1);
      assert.ok(mail);
      assert.ok(mail.text?.includes(sharing.message), mail.text ?? '');
      await using seen = await open(linkIn(mail), { javaScriptEnabled });
      const { page } = seen;

      const preset = await totalOf(page);
      await change(page);
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Actualizar el total' }).click();
      await untilTotal(page, CHANGED);
      await page.getByLabel('Acepto la cotización').check();
      await acceptButton(page).click();
      await page.getByText('Cotización aceptada').waitFor();

      assert.deepEqual([preset, await totalOf(page)], [PRESET, CHANGED]);
      const read = async (path: string) => (await service.http.get(`/api/quotes/${id}${path}`, of.owner)).body;
      const evidence = await read('/signature/evidence');
      const chosen = ({ items, total }: Chosen) => [items.map(({ productName }) => productName), total];
      assert.deepEqual(
        [chosen(evidence.selection.preset), chosen(evidence.selection.selected)],
        [[['Lámpara de pie', 'Acabado en encino'], '1740.00'], [['Tapete', 'Acabado en pino'], SUMS.total]],
      ); // prettier-ignore
      const answers = [
        (await mailsTo(of.email, 1))[0],
        // After the invitation, and after the share.
        (await mailsTo(creator.email, 2))[1],
        (await mailsTo(clientEmail, 2))[1],
      ].filter((answer) => answer !== undefined);
      const files = await Promise.all(answers.map(pdfIn));
      assert.deepEqual(files.map(sha256), [evidence.pdfSha256, evidence.pdfSha256, evidence.pdfSha256]);
      const { text } = await readPdf(files[0] ?? Buffer.of());
      for (const printed of ['$1,150.00', '$184.00', '$1,334.00 MXN', 'Tapete', 'Acabado en pino'])
        assert.ok(text.replace(/\s+/g, ' ').includes(printed), `${printed} is not in ${text}`);
      for (const answer of answers) assert.ok(answer.text?.includes('1,334.00'), answer.text ?? '');
      const { subtotal, tax, total, status } = await read('');
      assert.deepEqual({ subtotal, tax, total, status }, { ...SUMS, status: 'ACCEPTED' });
      const event = await eventually(() => {
        const [call] = endpoint.calls;
        assert.ok(call, 'no call');
        return JSON.parse(call.body).data.quote;
      });
      assert.deepEqual([event.subtotal, event.tax, event.total], [1150, 184, 1334]);
      assert.deepEqual([seen.complaints, seen.foreign], [[], []]);
    });
  }
});
