import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import type { Route } from '../../api/route.ts';
import { readQuoteDrawing } from '../../db/reads/quote-drawing.ts';
import { newId } from '../../db/ids.ts';
import { readPdf } from '../adapters/pdf-text.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { withIds, type World, world } from './matrix-world.ts';
import { rawRequest } from './raw-http.ts';
import { sampleOf } from './sample-request.ts';
import { type Service, service } from './service.ts';
import { withMember } from './with-member.ts';

needs('storage');

interface SchemaLike {
  readonly clean?: string;
  readonly minLength?: number;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly items?: SchemaLike;
  readonly oneOf?: readonly SchemaLike[];
  readonly anyOf?: readonly SchemaLike[];
}

/** The paths of all texts in the sample, with their schemas. */
function textsIn(schema: SchemaLike, sample: unknown, path = ''): readonly [path: string, schema: SchemaLike][] {
  const own: [string, SchemaLike][] = schema.clean && typeof sample === 'string' ? [[path, schema]] : [];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    textsIn(member, (sample as Record<string, unknown> | null)?.[name], path ? `${path}.${name}` : name),
  );
  const items = schema.items && Array.isArray(sample) ? textsIn(schema.items, sample[0], `${path}.0`) : [];
  const [variant] = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return [...own, ...members, ...items, ...(variant ? textsIn(variant, sample, path) : [])];
}

describe('Texts of requests', () => {
  let app: Service;
  let mine: World;
  let business: build.Business;
  let texts: readonly { route: Route; path: string; schema: SchemaLike; body: unknown }[];
  before(async () => {
    app = await service();
    mine = await world({ plan: 'PRO' });
    business = await build.business();
    texts = apiRoutes(app.deps).flatMap((route) => {
      if (!route.body || route.upload) return [];
      const body = withIds(sampleOf(route.body), mine.ids);
      return textsIn(route.body as SchemaLike, body).map(([path, schema]) => ({ route, path, schema, body }));
    });
  });

  const pathOf = ({ path }: Route) =>
    Object.entries(mine.ids).reduce(
      (left, [parameter, id]) => left.replace(parameter, `${parameter.split(':')[0]}${id}`),
      path,
    );
  const send = (route: Route, body: unknown) =>
    app.request(route.method, pathOf(route), { headers: mine.owner.cookie, body });

  it('a required text without visible characters answers 400 on every route', async () => {
    const required = texts.filter(({ schema }) => schema.minLength !== undefined && !('format' in schema));
    const unseen = ['\u200b', '\u3164 \u2800', '\u00ad\u0301', '\u2060\t\u{e0020}\n'];

    const taken: string[] = [];
    for (const [index, { route, path, schema, body }] of required.entries()) {
      const res = await send(route, withMember(body, path, unseen[index % unseen.length]));
      const message = schema.minLength === 1 ? 'no puede estar vacío' : 'debe tener al menos 2 caracteres';
      if (res.status !== 400 || res.body.error !== `${path}: ${message}`)
        taken.push(`${route.method} ${route.path} ${path}: ${res.status} ${res.body?.error}`);
    }

    assert.deepEqual(taken, []);
    assert.ok(required.length > 15, `${required.length} texts`);
  });

  it('null and "" clear an optional text on every route', async () => {
    const optional = texts.filter(({ schema }) => Array.isArray(schema.type));

    const refused: string[] = [];
    for (const { route, path, body } of optional) {
      for (const empty of [null, '', '\u200b']) {
        const own = 'email' in (body as object) && path !== 'email' ? { email: `${newId()}@persona.test` } : {};
        const res = await send(route, { ...(withMember(body, path, empty) as object), ...own });
        if (res.status === 400 && res.body.details?.some((detail: { path: string }) => detail.path === path))
          refused.push(`${route.method} ${route.path} ${path} ${JSON.stringify(empty)}: ${res.body.error}`);
      }
    }

    assert.deepEqual(refused, []);
    assert.ok(optional.length > 15, `${optional.length} texts`);
  });

  const names: readonly [method: string, path: string, member: string, more: object][] = [
    ['POST', '/api/clients', 'contactName', {}],
    ['POST', '/api/clients', 'companyName', { contactName: 'Laura' }],
    ['POST', '/api/labels', 'name', { color: '#336699' }],
    ['POST', '/api/api-keys', 'name', {}],
    ['PUT', '/api/settings', 'companyName', {}],
    ['PUT', '/api/settings', 'phone', {}],
  ];
  for (const [method, path, member, more] of names)
    it(`${member} of ${method} ${path} becomes one line: breaks become spaces, repeated spaces collapse`, async () => {
      const body = { ...more, [member]: ' Juan\r\nTotal   aceptado\v\u2028 $1 ' };

      const res = await app.request(method, path, { headers: business.owner, body });

      assert.equal((res.body.data ?? res.body)[member], 'Juan Total aceptado $1');
    });

  it('product names, notes, descriptions and addresses keep their lines', async () => {
    const lines = 'uno\r\ndos\ftres\u0085cuatro';
    const { id: clientId, ...client } = (
      await app.post('/api/clients', { contactName: 'Laura', address: lines, notes: lines }, business.owner)
    ).body;
    const product = await app.post('/api/products', { name: lines, description: lines, unitPrice: 1 }, business.owner);
    const quote = await app.post(
      '/api/quotes',
      { clientId, notes: lines, items: [{ ...build.ITEM, productName: lines }] },
      business.owner,
    );

    const kept = 'uno\ndos\ntres\ncuatro';
    assert.deepEqual([client.address, client.notes], [kept, kept]);
    assert.deepEqual([product.body.name, product.body.description], [kept, kept]);
    assert.deepEqual([quote.body.notes, quote.body.items[0].productName], [kept, kept]);
  });

  it('line breaks, bullets and Windows-1252 characters are shown as intended in PDF and page', async () => {
    const made = await build.sentQuote(business, {
      items: [
        { ...build.ITEM, productName: 'Incluye:\v\uf0b7 Instalación\u2029\uf0fc Garantía \u0093Oro\u0094 5 \u0080' },
      ],
    });

    const { text } = await readPdf((await app.get(`/api/quotes/${made.id}/pdf`, business.owner)).bytes);
    const page = (await app.get(made.page)).bytes.toString();

    assert.match(text, /Incluye: • Instalación ✓ Garantía “Oro” 5 €/);
    assert.match(page, /Incluye:\n• Instalación\n✓ Garantía “Oro” 5 €/);
  });

  it('older rows are shown like newer ones in PDF, page and mail', async () => {
    const made = await build.sentQuote(business);
    await app.deps.withTenant(business.tenantId, (trx) =>
      trx('quotes').where({ id: made.id }).update({ notes: 'Base\fplana \uf0b7 \u0096 \u200b' }),
    );

    const { text } = await readPdf((await app.get(`/api/quotes/${made.id}/pdf`, business.owner)).bytes);

    const page = (await app.get(made.page)).bytes.toString();
    const drawing = await app.deps.withTenant(business.tenantId, (trx) => readQuoteDrawing(trx, made.id));
    assert.match(text, /Base plana • –/);
    assert.match(page, /Base\nplana • –/);
    assert.equal(drawing?.notes, 'Base\nplana • – ');
  });

  it('the signer’s name becomes one line, so that it cannot add lines to the certificate', async () => {
    const made = await build.sentQuote(business);
    const signerName = 'Juan\nTotal aceptado      $1.00 MXN';

    const res = await app.post(`${made.portal}/accept`, { ...build.SIGNER, signerName });

    assert.equal(res.status, 200);
    const { body } = await app.get(`/api/quotes/${made.id}/signature`, business.owner);
    assert.equal(body.signature.signerName, 'Juan Total aceptado $1.00 MXN');
  });
});

describe('Encoding of requests', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await service();
    business = await build.business();
  });
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const post = (path: string, body: Buffer, type = 'application/json') =>
    rawRequest(app.url + path, { method: 'POST', headers: { ...business.owner, 'Content-Type': type }, body });

  const broken: readonly [what: string, body: Buffer][] = [
    ['Latin-1', latin1('{"contactName":"Pe\xf1a"}')],
    ['a truncated UTF-8 sequence', Buffer.from('{"contactName":"Peñ"}').subarray(0, 19)],
    ['an overlong UTF-8 sequence', latin1('{"contactName":"Pe\xc0\xafa"}')],
    ['half a surrogate pair in CESU-8', latin1('{"contactName":"\xed\xa0\x80"}')],
    ['Latin-1 in a member that is not known', latin1('{"contactName":"Ana","x":"\xe9"}')],
    ['UTF-16', Buffer.from('\ufeff{"contactName":"Peña"}', 'utf16le')],
  ];
  for (const [what, body] of broken)
    it(`a body that is ${what} answers 400 «JSON inválido»`, async () => {
      const res = await post('/api/clients', body);

      assert.deepEqual([res.status, res.body.error], [400, 'JSON inválido']);
    });

  for (const charset of ['iso-8859-1', 'windows-1252', 'utf-16', '"latin1"', 'us-ascii'])
    it(`charset=${charset} answers 415 «Tipo de contenido no admitido»`, async () => {
      const res = await post(
        '/api/clients',
        Buffer.from('{"contactName":"Ana"}'),
        `application/json; charset=${charset}`,
      );

      assert.deepEqual([res.status, res.body.error], [415, 'Tipo de contenido no admitido']);
    });

  for (const charset of ['UTF-8', '"utf-8"', 'utf8'])
    it(`charset=${charset} is accepted`, async () => {
      const res = await post(
        '/api/clients',
        Buffer.from('{"contactName":"Peña"}'),
        `application/json; charset=${charset}`,
      );

      assert.deepEqual([res.status, res.body.contactName], [201, 'Peña']);
    });

  it('a byte order mark is skipped', async () => {
    const res = await post('/api/clients', Buffer.from('\ufeff{"contactName":"Peña"}'));

    assert.deepEqual([res.status, res.body.contactName], [201, 'Peña']);
  });

  for (const name of ['Pe%F1a', 'Pe%C3', '%ED%A0%80'])
    it(`a form of the client’s page with the name ${name} answers 400 and changes nothing`, async () => {
      const made = await build.sentQuote(business);
      const form = `signerName=${name}&signerEmail=a%40b.mx&version=1&consent=si&signatureType=typed`;
      const headers = {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: new URL(app.deps.config.PUBLIC_URL).origin,
      };

      const res = await rawRequest(`${app.url}${made.page}/accept`, { method: 'POST', headers, body: form });

      assert.equal(res.status, 400);
      assert.equal((await app.get(`/api/quotes/${made.id}`, business.owner)).body.status, 'SENT');
    });

  for (const query of ['search=Pe%F1a', 'search=x&clientId=%C3', 'search=%FF%FE'])
    it(`the query ${query} answers 400 «contiene caracteres no permitidos»`, async () => {
      const res = await app.get(`/api/quotes?${query}`, business.owner);

      assert.equal(res.status, 400);
      assert.match(res.body.error, /^(search|clientId): contiene caracteres no permitidos$/);
    });

  it('a literal percent sign in a query is accepted', async () => {
    const res = await app.get('/api/quotes?search=10%&status=SENT', business.owner);

    assert.equal(res.status, 200);
  });
});
