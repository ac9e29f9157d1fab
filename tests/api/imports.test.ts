import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { Import } from '../../db/models/import.ts';
import { Product } from '../../db/models/product.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { csv, fileForm, xlsx } from './spreadsheet-files.ts';
import { auditOf, eventsOf, rowCounts } from './stored.ts';

/** A response, with the parts that these tests read. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- each test asserts the shape it expects
}

let app: Service;
before(async () => {
  app = await service();
});

async function send(path: string, as: Credential, form: FormData, headers: Credential = {}): Promise<Answer> {
  const res = await fetch(`${app.url}/api/${path}`, { method: 'POST', headers: { ...as, ...headers }, body: form });
  return { status: res.status, headers: res.headers, body: await res.json() };
}
const clients = (as: Credential, file: string | Buffer, query = '') =>
  send(`clients/import${query}`, as, fileForm(file));
const products = (as: Credential, file: string | Buffer, query = '') =>
  send(`products/import${query}`, as, fileForm(file));

const clientsOf = async ({ tenantId }: build.Business) =>
  (await app.deps.withTenant(tenantId, (trx) => Client.query(trx).where({ tenantId }).orderBy('contactName'))).map(
    ({ contactName, companyName, email, phone }) => [contactName, companyName, email, phone],
  );
const productsOf = async ({ tenantId }: build.Business) =>
  (await app.deps.withTenant(tenantId, (trx) => Product.query(trx).where({ tenantId }).orderBy('name'))).map(
    ({ name, modelSku, unitPrice, currency }) => [name, modelSku, unitPrice, currency],
  );

const ANA = ['Ana Torres', 'La Palma', 'ana@palma.test', '+52 55 1234 5678'];
const BETO = ['Beto Núñez', '', 'beto@nunez.test', ''];
const SAVED = [ANA, ['Beto Núñez', null, 'beto@nunez.test', null]];
const ES = ['Nombre de contacto', 'Empresa', 'Correo electrónico', 'Teléfono'];
const EN = ['Contact name', 'Company', 'E-mail', 'Phone'];

describe('POST /api/clients/import', () => {
  for (const [name, file] of [
    ['a comma and Spanish headers', () => csv([ES, ANA, BETO])],
    ['a semicolon and English headers', () => csv([EN, ANA, BETO], ';')],
    ['a byte order mark', () => `\ufeff${csv([ES, ANA, BETO])}`],
    ['Windows-1252', () => Buffer.from(csv([ES, ANA, BETO]), 'latin1')],
    ['an XLSX file', () => xlsx([ES, ANA, BETO])],
    ['blank lines and spaces around cells', () => csv([ES, [' Ana Torres ', ...ANA.slice(1)], ['', '', '', ''], BETO])],
  ] as const) {
    it(`saves the clients of a file with ${name}`, async () => {
      const business = await build.business();

      const { status, body } = await clients(business.owner, await file());

      assert.deepEqual([status, body.errors, body.status], [200, [], 'COMPLETED']);
      assert.deepEqual([body.total, body.done, body.created, body.skipped], [2, 2, 2, 0]);
      assert.deepEqual(await clientsOf(business), SAVED);
    });
  }

  it('writes one audit entry and no client.created', async () => {
    const business = await build.business();
    const before = (await eventsOf(business)).length;

    const { body } = await clients(business.owner, csv([ES, ANA, BETO]));

    const [entry, ...more] = await auditOf(business, body.id);
    assert.deepEqual([entry?.action, entry?.entity, entry?.metadata], ['import', 'client', { created: 2, skipped: 0 }]);
    assert.deepEqual([more.length, (await eventsOf(business)).length], [0, before]);
  });

  it('answers GET /api/imports/:id with the same report', async () => {
    const { owner } = await build.business();
    const { body } = await clients(owner, csv([ES, ANA, BETO]));

    const read = await app.get(`/api/imports/${body.id}`, owner);

    assert.deepEqual([read.status, read.body], [200, body]);
  });

  it('saves nothing with dryRun, and reports what it would create', async () => {
    const business = await build.business();

    const { body } = await clients(business.owner, csv([ES, ANA, BETO]), '?dryRun=true');

    assert.deepEqual([body.status, body.dryRun, body.created], ['COMPLETED', true, 2]);
    assert.deepEqual(await clientsOf(business), []);
    assert.deepEqual(await auditOf(business, body.id), []);
  });

  it('names ignored columns in X-Ignored-Members', async () => {
    const { owner } = await build.business();

    const { headers, body } = await clients(
      owner,
      csv([
        [...ES, 'Saldo'],
        [...ANA, '100'],
      ]),
    );

    assert.deepEqual([headers.get('X-Ignored-Members'), body.created], ['Saldo', 1]);
  });

  it('repeats nothing for a repeated Idempotency-Key, and answers 422 for another file', async () => {
    const business = await build.business();
    const key = { 'Idempotency-Key': newId() };
    const first = await send('clients/import', business.owner, fileForm(csv([ES, ANA])), key);

    const again = await send('clients/import', business.owner, fileForm(csv([ES, ANA])), key);
    const other = await send('clients/import', business.owner, fileForm(csv([ES, BETO])), key);

    assert.deepEqual([again.status, again.body, other.status], [200, first.body, 422]);
    assert.equal((await clientsOf(business)).length, 1);
  });

  it('answers 403 «Sin permisos» to a collaborator', async () => {
    const business = await build.business();
    const { as } = await build.member(business);

    const { status, body } = await clients(as, csv([ES, ANA]));

    assert.deepEqual([status, body.error], [403, 'Sin permisos']);
  });

  describe('duplicates', () => {
    const TWICE = csv([ES, ANA, BETO, ['Ana otra vez', '', 'ANA@palma.test', '']]);

    it('are errors with row and column, and nothing is saved', async () => {
      const business = await build.business();

      const { status, body } = await clients(business.owner, TWICE);

      assert.deepEqual([status, body.status, body.created], [200, 'FAILED', 0]);
      assert.deepEqual(body.errors, [
        { row: 4, column: 'Correo electrónico', message: 'correo repetido: es el de la fila 2' },
      ]);
      assert.deepEqual(await clientsOf(business), []);
    });

    it('of an existing client are errors, of an inactive one too', async () => {
      const business = await build.business();
      await clients(business.owner, csv([ES, BETO]));
      const { body: found } = await app.get('/api/clients', business.owner);
      await app.request('DELETE', `/api/clients/${found.data[0].id}`, { headers: business.owner });

      const { body } = await clients(business.owner, csv([ES, ANA, BETO]));

      assert.deepEqual(body.errors, [
        { row: 3, column: 'Correo electrónico', message: 'ya existe un cliente con este correo' },
      ]);
      assert.equal((await clientsOf(business)).length, 1);
    });

    it('are skipped with onDuplicate=skip', async () => {
      const business = await build.business();
      await clients(business.owner, csv([ES, BETO]));

      const { body } = await clients(business.owner, TWICE, '?onDuplicate=skip');

      assert.deepEqual([body.status, body.created, body.skipped, body.total], ['COMPLETED', 1, 2, 3]);
      assert.deepEqual(await clientsOf(business), SAVED);
    });
  });

  describe('invalid rows', () => {
    for (const [name, row, column, message] of [
      ['a formula', ['=1+1', '', '', ''], 'Nombre de contacto', 'no se admiten fórmulas; escriba el valor'],
      [
        'a command after a sign',
        ["+cmd|' /C calc'!A0", '', '', ''],
        'Nombre de contacto',
        'no se admiten fórmulas; escriba el valor',
      ],
      ['an at sign', ['@SUM(A1)', '', '', ''], 'Nombre de contacto', 'no se admiten fórmulas; escriba el valor'],
      ['U+0000', ['Ana\u0000', '', '', ''], 'Nombre de contacto', 'contiene caracteres no permitidos'],
      ['no name', ['', 'La Palma', '', ''], 'Nombre de contacto', 'es obligatorio'],
      ['an invalid address', ['Ana', '', 'ana', ''], 'Correo electrónico', 'debe ser un correo electrónico válido'],
      ['a long telephone number', ['Ana', '', '', '5'.repeat(41)], 'Teléfono', 'debe tener como máximo 40 caracteres'],
      ['a cell too many', ['Ana', '', '', '', 'x'], null, 'la fila tiene 5 celdas y el encabezado 4'],
      ['a cell too few', ['Ana', '', 'x'], null, 'la fila tiene 3 celdas y el encabezado 4'],
    ] as const) {
      it(`with ${name} are reported with row and column: «${message}»`, async () => {
        const business = await build.business();

        const { status, body } = await clients(business.owner, csv([ES, ANA, [...row]]));

        assert.deepEqual([status, body.status], [200, 'FAILED']);
        assert.deepEqual(body.errors, [{ row: 3, column, message }]);
        assert.deepEqual(await clientsOf(business), []);
      });
    }

    it('are reported up to the hundredth', async () => {
      const { owner } = await build.business();
      const wrong = Array.from({ length: 150 }, () => ['Ana', '', 'ana', '']);

      const { body } = await clients(owner, csv([ES, ...wrong]));

      assert.deepEqual([body.errors.length, body.total, body.errors.at(-1).row], [100, 150, 101]);
    });
  });

  describe('files that cannot be read', () => {
    const wide = Array.from({ length: 200 }, (_, i) => `c${i}`);
    for (const [name, file, error] of [
      ['200 columns', () => csv([wide, wide]), 'El archivo tiene 200 columnas; el máximo es 50'],
      [
        'no contact column',
        () => csv([['Correo'], ['ana@palma.test']]),
        'Falta la columna «contacto» en la primera fila',
      ],
      [
        'two columns of the same member',
        () =>
          csv([
            ['Nombre', 'Contacto'],
            ['a', 'b'],
          ]),
        'Las columnas «Nombre» y «Contacto» son el mismo dato',
      ],
      ['only a header', () => csv([ES]), 'El archivo no tiene filas después del encabezado'],
      [
        '20,001 rows',
        () => csv([['Nombre'], ...Array.from({ length: 20_001 }, (_, i) => [`c${i}`])]),
        'El archivo tiene 20001 filas; el máximo es 20000',
      ],
      [
        'an open quotation mark',
        () => `${csv([ES])}\r\n"Ana,b,c,d`,
        'No se pudo leer el CSV cerca de la línea 2: revise las comillas',
      ],
      [
        'UTF-16',
        () => Buffer.from(`\ufeff${csv([ES, ANA])}`, 'utf16le'),
        'El archivo está en UTF-16; guárdelo como «CSV UTF-8»',
      ],
      ['a PDF', () => '%PDF-1.7\nNombre', 'Tipo de archivo no permitido. Use CSV o XLSX.'],
      [
        'a damaged XLSX',
        async () => (await xlsx([ES, ANA])).subarray(0, 900),
        'No se pudo leer el archivo XLSX; ábralo y guárdelo de nuevo, o guárdelo como CSV',
      ],
    ] as const) {
      it(`with ${name} answer 400 «${error}»`, async () => {
        const business = await build.business();
        const before = await rowCounts(business);

        const { status, body } = await clients(business.owner, await file());

        assert.deepEqual([status, body.error, body.code], [400, error, 'invalid']);
        assert.deepEqual(body.details, [{ path: 'file', message: error }]);
        assert.deepEqual(await rowCounts(business), before);
      });
    }

    it('of 10 MB answer 413', async () => {
      const { owner } = await build.business();

      const { status, body } = await clients(owner, 'x'.repeat(10 * 1024 * 1024));

      assert.deepEqual([status, body.code], [413, 'too_large']);
    });

    it('that are missing answer 400 «No se proporcionó un archivo»', async () => {
      const { owner } = await build.business();

      const { status, body } = await send('clients/import', owner, new FormData());

      assert.deepEqual([status, body.error], [400, 'No se proporcionó un archivo']);
    });
  });

  describe('of more than 500 rows', () => {
    const many = (count: number) =>
      csv([ES, ...Array.from({ length: count }, (_, i) => [`Cliente ${i}`, '', `c${i}@muchos.test`, ''])]);

    it('answers 202 {id} and commits the import with its event; GET shows it running', async () => {
      const business = await build.business();

      const { status, body } = await clients(business.owner, many(501));

      assert.deepEqual([status, Object.keys(body)], [202, ['id']]);
      const read = await app.get(`/api/imports/${body.id}`, business.owner);
      assert.deepEqual([read.body.status, read.body.total, read.body.done], ['RUNNING', 501, 0]);
      assert.equal((await eventsOf(business)).at(-1)?.type, 'import.requested');
    });

    it('answers 409 «Ya hay una importación en curso» while one runs, to any file', async () => {
      const business = await build.business();
      await clients(business.owner, many(501));

      const large = await products(
        business.owner,
        csv([
          ['Nombre', 'Precio'],
          ['Silla', '10'],
        ]),
      );
      const small = await clients(business.owner, many(501));

      assert.deepEqual([large.status, large.body.error, small.status], [409, 'Ya hay una importación en curso', 409]);
      assert.equal(small.body.reason, 'import_running');
      assert.equal((await clientsOf(business)).length, 0);
    });

    it('fails at once when a row is invalid, and keeps no content', async () => {
      const business = await build.business();

      const { status, body } = await clients(business.owner, `${many(501)}\r\n=x,,,`);

      const { tenantId } = business;
      const row = await app.deps.withTenant(tenantId, (trx) => Import.query(trx).findOne({ tenantId, id: body.id }));
      assert.deepEqual([status, row?.status, row?.content], [202, 'FAILED', null]);
      const read = await app.get(`/api/imports/${body.id}`, business.owner);
      assert.equal(read.body.errors[0].row, 503);
    });
  });
});

describe('POST /api/products/import', () => {
  const HEAD = ['Nombre', 'Modelo', 'Precio unitario', 'Moneda'];

  it('saves the products of a CSV with prices as people write them', async () => {
    const business = await build.business();
    const rows = [
      ['A', 'a', '"1,234.50"', ''],
      ['B', 'b', '"1.234,5"', 'USD'],
      ['C', 'c', '$ 10', 'MXN'],
      ['D', '', '"0,125000"', ''],
    ];

    const { body } = await products(business.owner, csv([HEAD, ...rows]));

    assert.deepEqual(body.errors, []);
    assert.deepEqual(await productsOf(business), [
      ['A', 'a', '1234.500000', 'MXN'],
      ['B', 'b', '1234.500000', 'USD'],
      ['C', 'c', '10.000000', 'MXN'],
      ['D', null, '0.125000', 'MXN'],
    ]);
  });

  it('saves the numbers of an XLSX as its spreadsheet shows them', async () => {
    const business = await build.business();

    const { body } = await products(
      business.owner,
      await xlsx([
        ['name', 'sku', 'price'],
        ['A', 77, 0.1 + 0.2],
        ['B', 'b', 143.48],
      ]),
    );

    assert.deepEqual(body.errors, []);
    assert.deepEqual(await productsOf(business), [
      ['A', '77', '0.300000', 'MXN'],
      ['B', 'b', '143.480000', 'MXN'],
    ]);
  });

  for (const [price, message] of [
    ['"1,234"', 'no se sabe si la coma separa miles o decimales; escriba 1234.50'],
    ['diez', 'debe ser un número, como 1234.50'],
    ['-1', 'debe ser un número, como 1234.50'],
    ['1.1234567', 'debe tener como máximo 6 decimales'],
    ['1000000000', 'debe ser menor que 1000000000'],
  ] as const) {
    it(`reports the price ${price}: «${message}»`, async () => {
      const { owner } = await build.business();

      const { body } = await products(owner, csv([HEAD, ['Silla', '', price, '']]));

      assert.deepEqual(body.errors, [{ row: 2, column: 'Precio unitario', message }]);
    });
  }

  it('reports a foreign currency on the FREE plan: «Función disponible en el plan Pro»', async () => {
    const business = await build.business({ plan: 'FREE' });

    const { body } = await products(business.owner, csv([HEAD, ['Silla', '', '1', 'MXN'], ['Mesa', '', '1', 'USD']]));

    assert.deepEqual(body.errors, [{ row: 3, column: 'Moneda', message: 'Función disponible en el plan Pro' }]);
    assert.deepEqual(await productsOf(business), []);
  });

  for (const [language, unit, taxes] of [
    ['Spanish', 'Unidad', 'Impuestos'],
    ['English', 'Unit of measure', 'Taxes'],
  ] as const) {
    it(`saves unit and taxes with ${language} headers; an empty cell is the default tax`, async () => {
      const business = await build.business();
      const head = ['Nombre', 'Precio', unit, taxes];

      const { body } = await products(
        business.owner,
        csv([head, ['A', '1', 'm²', 'IVA16 RET_IVA'], ['B', '1', '', '"IVA8, RET_IVA"'], ['C', '1', '', '']]),
      );

      assert.deepEqual(body.errors, []);
      const { body: list } = await app.get('/api/products', business.owner);
      assert.deepEqual(
        list.data
          .map((product: { name: string; unit: string; taxes: unknown }) => [product.name, product.unit, product.taxes])
          .toSorted(),
        [
          ['A', 'm²', ['IVA16', 'RET_IVA']],
          ['B', null, ['IVA8', 'RET_IVA']],
          ['C', null, null],
        ],
      );
    });
  }

  for (const [name, cells, column, message] of [
    ['an unknown code', ['', 'IVA16 IVA99'], 'Impuestos', 'el impuesto «IVA99» no existe'],
    ['a repeated code', ['', 'IVA16 IVA16'], 'Impuestos', 'está repetido'],
    ['a sixth code', ['', 'A B C D E F'], 'Impuestos', 'debe tener como máximo 5 elementos'],
    ['a formula as taxes', ['', '=A1'], 'Impuestos', 'no se admiten fórmulas; escriba el valor'],
    ['a long unit', ['x'.repeat(21), ''], 'Unidad', 'debe tener como máximo 20 caracteres'],
  ] as const) {
    it(`reports ${name} with row and column: «${message}»`, async () => {
      const business = await build.business();

      const { body } = await products(
        business.owner,
        csv([
          ['Nombre', 'Precio', 'Unidad', 'Impuestos'],
          ['A', '1', '', ''],
          ['B', '1', ...cells],
        ]),
      );

      assert.deepEqual(body.errors, [{ row: 3, column, message }]);
      assert.deepEqual(await productsOf(business), []);
    });
  }

  it('reports a model that repeats or exists', async () => {
    const business = await build.business();
    await products(business.owner, csv([HEAD, ['Silla', 'S-1', '1', '']]));

    const { body } = await products(
      business.owner,
      csv([HEAD, ['X', 'S-1', '1', ''], ['Y', 'S-2', '1', ''], ['Z', 'S-2', '1', '']]),
    );

    assert.deepEqual(body.errors, [
      { row: 2, column: 'Modelo', message: 'ya existe un producto con este modelo' },
      { row: 4, column: 'Modelo', message: 'modelo repetido: es el de la fila 3' },
    ]);
  });
});

describe('GET /api/imports/:id', () => {
  it('answers 404 «Importación no encontrada» for another business, 403 to a collaborator', async () => {
    const business = await build.business();
    const { body } = await clients(business.owner, csv([ES, ANA]));
    const other = await build.business();
    const { as } = await build.member(business);

    const foreign = await app.get(`/api/imports/${body.id}`, other.owner);
    const collaborator = await app.get(`/api/imports/${body.id}`, as);

    assert.deepEqual(
      [foreign.status, foreign.body.error, collaborator.status],
      [404, 'Importación no encontrada', 403],
    );
  });
});
