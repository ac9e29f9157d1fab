import assert from 'node:assert/strict';
import * as build from '../api/build.ts';
import { service } from '../api/service.ts';
import { csv, fileForm, xlsx } from '../api/spreadsheet-files.ts';
import { attach, errorAt, open, type Shown, titleOf } from './browse.ts';

const PATH = '/app/imports/clients';
const HEADER = ['contacto', 'correo'];

describe('/app/imports', () => {
  async function send(
    as: build.Business,
    file: string | Buffer,
    fields: Readonly<Record<string, string>> = {},
    path = PATH,
  ): Promise<Shown> {
    const form = fileForm(file);
    for (const [name, value] of Object.entries({ dryRun: 'false', ...fields })) form.set(name, value);
    return attach(path, form, as.owner);
  }
  const reportOf = async (sent: Shown, as: build.Business): Promise<Shown> =>
    open(sent.headers.get('Location') ?? '', as.owner);
  const clientsOf = async ({ owner }: build.Business): Promise<number> =>
    (await (await service()).get('/api/clients', owner)).body.total;

  it('the template has every column of the kind, and can be imported as it is', async () => {
    const business = await build.business();
    const template = await open(`${PATH}.csv`, business.owner);
    const products = await open('/app/imports/products.csv', business.owner);

    const clientReport = await reportOf(await send(business, template.html), business);
    const productReport = await reportOf(await send(business, products.html, {}, '/app/imports/products'), business);

    assert.match(template.headers.get('Content-Disposition') ?? '', /^attachment; filename="clients\.csv"$/);
    assert.match(template.html, /^\uFEFFcontacto,empresa,correo,teléfono,rfc,dirección,país,idioma,notas\r\n/);
    assert.match(clientReport.html, /Se creó 1 cliente\./);
    assert.match(productReport.html, /Se creó 1 producto\./);
  });

  it('a review saves nothing and says what would be created', async () => {
    const business = await build.business();

    const sent = await send(business, await xlsx([HEADER, ['Ana', 'ana@x.test']]), { dryRun: 'true' });
    const report = await reportOf(sent, business);

    assert.equal(sent.status, 303);
    assert.equal(titleOf(report.html), 'Revisión de clientes');
    assert.match(report.html, /Se crearía 1 cliente\. Todavía no se guardó nada\./);
    assert.equal(await clientsOf(business), 0);
  });

  it('a file with errors saves nothing and shows each error with its row and column, escaped', async () => {
    const business = await build.business();
    const file = csv([HEADER, ['', 'ana@x.test'], ['Eva', 'no'], ['=<b>1</b>', 'luis@x.test']]);

    const { html } = await reportOf(await send(business, file), business);

    assert.match(html, /No se guardó nada/);
    assert.match(html, /Fila 2<[^]*Fila 3<\/th>\s*<td[^>]*>correo<[^]*Fila 4</);
    assert.ok(!html.includes('<b>1'));
    assert.equal(await clientsOf(business), 0);
  });

  it('skips or reports rows that exist', async () => {
    const business = await build.business();
    const { email } = await build.client(business.owner);
    const file = csv([HEADER, ['Ana', email], ['Eva', 'eva@x.test']]);

    const refused = await reportOf(await send(business, file), business);
    const skipped = await reportOf(await send(business, file, { onDuplicate: 'skip' }), business);

    assert.match(refused.html, /Ya existe un cliente con este correo/);
    assert.match(skipped.html, /Se creó 1 cliente\./);
    assert.match(skipped.html, /1 fila ya existía y se omitió/);
    assert.equal(await clientsOf(business), 2);
  });

  it('names the columns that were not read', async () => {
    const business = await build.business();

    const { status, html } = await send(
      business,
      csv([
        [...HEADER, 'cumpleaños'],
        ['Ana', 'a@x.test', 'mayo'],
      ]),
    );

    assert.equal(status, 200);
    assert.match(html, /Columnas que no se leyeron/);
    assert.match(html, /cumpleaños/);
  });

  it('shows the form again with the message beside the file: none, one that is no spreadsheet, a missing column', async () => {
    const business = await build.business();

    const none = await send(business, '');
    const wrong = await send(business, Buffer.from('%PDF-1.4 nada'));
    const column = await send(business, csv([['correo'], ['a@x.test']]));

    assert.deepEqual([none.status, wrong.status, column.status], [400, 400, 400]);
    for (const { html } of [none, wrong, column]) assert.ok(errorAt(html, 'file'), titleOf(html));
    assert.match(errorAt(column.html, 'file') ?? '', /Falta la columna/);
  });

  it('answers 413 beside the file to one that is too large', async () => {
    const business = await build.business();

    const { status, html } = await send(business, Buffer.alloc(6 * 1024 * 1024, 'a'));

    assert.equal(status, 413);
    assert.ok(errorAt(html, 'file'));
  });

  it('imports once from two submissions of the same form', async () => {
    const business = await build.business();
    const { html } = await open(PATH, business.owner);
    const action = /action="([^"]+\?key=[^"]+)"/.exec(html)?.[1] ?? '';
    const file = csv([HEADER, ['Ana', 'a@x.test']]);

    const sent = [await send(business, file, {}, action), await send(business, file, {}, action)];

    assert.deepEqual(
      sent.map(({ headers }) => headers.get('Location')),
      Array(2).fill(sent[0]?.headers.get('Location')),
    );
    assert.equal(await clientsOf(business), 1);
  });

  it('refuses an unconfirmed address with the form, and sends an expired session to the sign-in', async () => {
    const business = await build.business();
    await build.patchTenant(business, { isVerified: false });

    const refused = await send(business, csv([HEADER, ['Ana', 'a@x.test']]));
    const expired = await attach(PATH, fileForm('x'), {});

    assert.equal(refused.status, 403);
    assert.match(refused.html, /Confirme su correo electrónico para continuar/);
    assert.equal(expired.status, 401);
  });

  it('shows how a large file goes, and refuses another one meanwhile', async () => {
    const business = await build.business();
    const rows = Array.from({ length: 501 }, (_, row) => [`Cliente ${row}`, `c${row}@x.test`]);

    const sent = await send(business, csv([HEADER, ...rows]));
    const { html } = await reportOf(sent, business);
    const second = await send(business, csv([HEADER, ['Ana', 'a@x.test']]));

    assert.equal(sent.status, 303);
    assert.match(html, /<progress[^>]*max="501"/);
    assert.match(html, /hx-trigger="every 2s"/);
    assert.equal(second.status, 409);
    assert.match(second.html, /class="summary-title">[^<]*importación/i);
  });
});
