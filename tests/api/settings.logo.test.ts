import assert from 'node:assert/strict';
import sharp from 'sharp';
import { childProcesses, endlessSvg, png, svg } from '../adapters/image-files.ts';
import { eventually } from '../eventually.ts';
import { needs } from '../stack.ts';
import * as build from './build.ts';
import { rawRequest } from './raw-http.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf, rowCounts } from './stored.ts';

needs('storage');

const MEGABYTES_2 = 2 * 1024 * 1024;

describe('POST /api/settings/logo', () => {
  let app: Service;
  let red: Buffer;
  before(async () => {
    app = await service();
    red = await png({ width: 90, height: 60 });
  });

  const form = (file: Buffer | string, { field = 'logo', name = 'logo.png', type = 'image/png' } = {}) => {
    const data = new FormData();
    data.set(field, new Blob([typeof file === 'string' ? file : new Uint8Array(file)], { type }), name);
    return data;
  };
  const post = async (as: Credential, body: FormData) => {
    const res = await fetch(`${app.url}/api/settings/logo`, { method: 'POST', headers: as, body });
    return { status: res.status, body: (await res.json()) as Record<string, string> };
  };
  const refused = async (body: FormData, error: string) => {
    const business = await build.business();
    const before = await rowCounts(business);

    const res = await post(business.owner, body);

    assert.deepEqual([res.status, res.body['error'], res.body['code']], [400, error, 'invalid']);
    assert.deepEqual(await rowCounts(business), before);
  };

  it('answers 200 {logoUrl, storageKey} with a link to the re-encoded PNG', async () => {
    const { owner, tenantId } = await build.business();

    const res = await post(owner, form(red));

    assert.equal(res.status, 200);
    assert.deepEqual(Object.keys(res.body), ['logoUrl', 'storageKey']);
    assert.match(res.body['storageKey'] ?? '', new RegExp(`^t/${tenantId}/logo/[0-9a-f]{64}\\.png$`));
    const served = await fetch(res.body['logoUrl'] ?? '');
    assert.equal(served.headers.get('content-type'), 'image/png');
    const { format, width } = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
    assert.deepEqual({ format, width }, { format: 'png', width: 90 });
    const { logoUrl } = (await app.get('/api/settings', owner)).body.data;
    assert.equal(new URL(logoUrl).pathname, new URL(res.body['logoUrl'] ?? '').pathname);
  });

  it('kills the process that renders an SVG when the client disconnects', async () => {
    const { owner } = await build.business();
    const children = childProcesses();
    const caller = new AbortController();
    const { signal } = caller;
    const body = form(endlessSvg(), { name: 'logo.svg', type: 'image/svg+xml' });
    const request = fetch(`${app.url}/api/settings/logo`, { method: 'POST', headers: owner, body, signal });
    await eventually(() => assert.equal(childProcesses(), children + 1));

    caller.abort();

    await assert.rejects(request, { name: 'AbortError' });
    // Without the kill it would run into its timeout of five seconds.
    await eventually(() => assert.equal(childProcesses(), children), 2_000);
  });

  it('detects the type by content, not by name and declared type', async () => {
    const { owner } = await build.business();

    assert.equal((await post(owner, form(red, { name: 'logo.exe', type: 'application/x-msdownload' }))).status, 200);
  });

  it('the same image twice is one file and one event, with an audit entry per call', async () => {
    const business = await build.business();

    const first = await post(business.owner, form(red));
    const second = await post(business.owner, form(red));

    assert.equal(first.body['storageKey'], second.body['storageKey']);
    assert.equal((await rowCounts(business))['files'], 1);
    const changes = await eventsOf(business);
    assert.deepEqual(
      changes.map(({ type, body }) => [type, body.data]),
      [['tenant.settings_changed', { changed: ['logo'] }]],
    );
    const [, update] = await auditOf(business, business.tenantId);
    assert.deepEqual(update?.metadata, { before: { logo: null }, after: { logo: first.body['storageKey'] } });
  });

  it('answers 400 «No se proporcionó un archivo» without the field', () =>
    refused(form(red, { field: 'file' }), 'No se proporcionó un archivo'));

  it('answers 400 «No se proporcionó un archivo» to a text field', () => {
    const data = new FormData();
    data.set('logo', 'https://example.com/logo.png');
    return refused(data, 'No se proporcionó un archivo');
  });

  it('answers 400 «No se proporcionó un archivo» to an empty file', () =>
    refused(form(''), 'No se proporcionó un archivo'));

  it('answers 400 «No se proporcionó un archivo» without a body', async () => {
    const { owner } = await build.business();

    const res = await app.post('/api/settings/logo', undefined, owner);

    assert.deepEqual([res.status, res.body.error], [400, 'No se proporcionó un archivo']);
  });

  it('answers 400 «No se proporcionó un archivo» to a truncated form', async () => {
    const { owner } = await build.business();
    const headers = { ...owner, 'Content-Type': 'multipart/form-data; boundary=x' };
    const body =
      '--x\r\nContent-Disposition: form-data; name="logo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nab';

    const res = await rawRequest(`${app.url}/api/settings/logo`, { method: 'POST', headers, body });

    assert.deepEqual([res.status, res.body.error], [400, 'No se proporcionó un archivo']);
  });

  it('accepts a file part without Content-Type', async () => {
    const { owner } = await build.business();
    const headers = { ...owner, 'Content-Type': 'multipart/form-data; boundary=x' };
    const head = '--x\r\nContent-Disposition: form-data; name="logo"; filename="a.png"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), red, Buffer.from('\r\n--x--\r\n')]);

    const res = await rawRequest(`${app.url}/api/settings/logo`, { method: 'POST', headers, body });

    assert.equal(res.status, 200);
  });

  it('answers 400 «Tipo de archivo no permitido. Use PNG, JPG, WebP o SVG.» to a PDF named logo.png', () =>
    refused(form('%PDF-1.7\n%âãÏÓ\n'), 'Tipo de archivo no permitido. Use PNG, JPG, WebP o SVG.'));

  it('answers 400 «El archivo excede el tamaño máximo de 2MB» to 2 MB and one byte', () =>
    refused(form(Buffer.alloc(MEGABYTES_2 + 1)), 'El archivo excede el tamaño máximo de 2MB'));

  it('accepts a file of exactly 2 MB', async () => {
    const { owner } = await build.business();

    assert.equal((await post(owner, form(Buffer.concat([red, Buffer.alloc(MEGABYTES_2 - red.length)])))).status, 200);
  });

  it('answers 413 «Solicitud demasiado grande» to more than 64 KiB of other fields', async () => {
    const { owner } = await build.business();
    const data = form(red);
    data.set('otro', 'x'.repeat(65 * 1024));

    const res = await post(owner, data);

    assert.deepEqual([res.status, res.body['error']], [413, 'Solicitud demasiado grande']);
  });

  it('answers 415 «Tipo de contenido no admitido» to JSON', async () => {
    const { owner } = await build.business();

    const res = await app.post('/api/settings/logo', { logo: 'x' }, owner);

    assert.deepEqual([res.status, res.body.error], [415, 'Tipo de contenido no admitido']);
  });

  describe('a file that cannot be rendered faithfully', () => {
    const REASONS: readonly (readonly [what: string, file: () => Buffer | string | Promise<Buffer>, reason: string])[] = [
      ['a reference to a missing element', () => svg('<use href="#a"/><rect width="9" height="9"/>'), 'El SVG se refiere a «#a», que no está en el archivo'],
      ['an external image', () => svg('<image href="https://example.com/a.png" width="9" height="9"/>'), 'El SVG se refiere a algo fuera del archivo («https://example.com/a.png»); incrústelo en él'],
      ['text in HTML', () => svg('<foreignObject width="9" height="9"/>'), 'El SVG usa <foreignObject>, que no se puede dibujar; conviértalo en trazos o exporte un PNG'],
      ['the image is fully transparent', () => svg('<defs><rect width="9" height="9"/></defs>'), 'El SVG no muestra nada dentro de sus márgenes'],
      ['30 megapixels', () => sharp({ create: { width: 6_000, height: 5_000, channels: 3, background: '#123456' } }).png({ palette: true }).toBuffer(), 'La imagen mide 6000 × 5000 (30 megapíxeles); el máximo es 25 megapíxeles'],
      ['transparency alone', () => png({ width: 9, height: 9, background: { r: 0, g: 0, b: 0, alpha: 0 } }), 'La imagen es transparente: no muestra nada'],
    ]; // prettier-ignore
    for (const [what, file, reason] of REASONS) {
      it(`(${what}) answers 400 with the reason and keeps the previous logo`, async () => {
        const { owner } = await build.business();
        await post(owner, form(red));
        const before = new URL((await app.get('/api/settings', owner)).body.data.logoUrl).pathname;

        const res = await post(owner, form(await file()));

        assert.deepEqual([res.status, res.body['error']], [400, reason]);
        assert.deepEqual(res.body['details'], [{ path: 'logo', message: reason }]);
        assert.equal(new URL((await app.get('/api/settings', owner)).body.data.logoUrl).pathname, before);
      });
    }
  });

  it('answers 200 to files that browsers accept: 20 megapixels, a JPEG without its end marker, an unusual Adobe marker', async () => {
    const { owner } = await build.business();
    const large = await sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: '#123456' } }).png({ palette: true }).toBuffer(); // prettier-ignore
    const jpeg = await sharp(red).flatten().jpeg().toBuffer();
    const adobe = Buffer.concat([Buffer.from([0xff, 0xee, 0, 14]), Buffer.from('Adobe'), Buffer.from([0, 100, 0, 0, 0, 0, 9])]); // prettier-ignore
    const odd = Buffer.concat([jpeg.subarray(0, 2), adobe, jpeg.subarray(2)]);

    for (const file of [large, jpeg.subarray(0, -2), jpeg.subarray(0, -1), odd, odd.subarray(0, -2)]) {
      const res = await post(owner, form(file));
      assert.equal(res.status, 200, JSON.stringify(res.body));
    }
  });

  it('answers 200 with warnings to text in an unknown font', async () => {
    const { owner } = await build.business();

    const res = await post(owner, form(svg('<text y="50" font-family="Lobster, cursive">Acme</text>')));

    assert.equal(res.status, 200);
    assert.match(
      JSON.stringify(res.body['warnings']),
      /^\[\{"path":"logo","message":"El texto usa la fuente «Lobster»,/,
    );
  });

  it('keeps transparency and marks a white logo for a dark background', async () => {
    const { owner } = await build.business();
    const white = svg('<circle cx="50" cy="50" r="40" fill="#fff"/>');

    const { body } = await post(owner, form(white));

    assert.match(body['storageKey'] ?? '', /\/logo\/[0-9a-f]{64}\.light\.png$/);
    const served = Buffer.from(await (await fetch(body['logoUrl'] ?? '')).arrayBuffer());
    assert.equal((await sharp(served).metadata()).hasAlpha, true);
  });
});

describe('GET /api/settings/logo', () => {
  it('answers 200 with the stored PNG, and 404 without a logo', async () => {
    const app = await service();
    const { owner } = await build.business();
    const form = new FormData();
    form.set('logo', new Blob([new Uint8Array(await png({ width: 90, height: 60 }))]), 'logo.png');

    const before = await app.get('/api/settings/logo', owner);
    await app.request('POST', '/api/settings/logo', { headers: owner, body: form });
    const { status, headers, bytes } = await app.get('/api/settings/logo', owner);

    assert.deepEqual([before.status, before.body.reason], [404, 'logo_not_found']);
    assert.deepEqual([status, headers.get('Content-Type')], [200, 'image/png']);
    assert.equal((await sharp(bytes).metadata()).width, 90);
  });
});

describe('DELETE /api/settings/logo', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const upload = async (as: Credential) => {
    const body = new FormData();
    body.set('logo', new Blob([new Uint8Array(await png({ width: 90, height: 60 }))]), 'logo.png');
    const res = await fetch(`${app.url}/api/settings/logo`, { method: 'POST', headers: as, body });
    return ((await res.json()) as { storageKey: string }).storageKey;
  };

  for (const plan of ['PRO', 'FREE'] as const) {
    it(`answers 200 {ok: true} on ${plan}; logoUrl is null, with one event and one audit entry`, async () => {
      const business = await build.business({ plan });
      const storageKey = await upload(business.owner);

      const res = await app.request('DELETE', '/api/settings/logo', { headers: business.owner });

      assert.deepEqual([res.status, res.body], [200, { ok: true }]);
      assert.equal((await app.get('/api/settings', business.owner)).body.data.logoUrl, null);
      assert.equal((await eventsOf(business)).length, 2);
      const entries = await auditOf(business, business.tenantId);
      assert.deepEqual(entries.at(-1)?.metadata, { before: { logo: storageKey }, after: { logo: null } });
    });
  }

  it('answers 200 {ok: true} without a logo and changes nothing', async () => {
    const business = await build.business();
    const before = await rowCounts(business);

    const res = await app.request('DELETE', '/api/settings/logo', { headers: business.owner });

    assert.deepEqual([res.status, res.body], [200, { ok: true }]);
    assert.deepEqual(await rowCounts(business), before);
  });

  it('answers 200 twice, and another logo can be uploaded', async () => {
    const { owner } = await build.business();
    await upload(owner);

    assert.equal((await app.request('DELETE', '/api/settings/logo', { headers: owner })).status, 200);
    assert.equal((await app.request('DELETE', '/api/settings/logo', { headers: owner })).status, 200);
    await upload(owner);
    assert.notEqual((await app.get('/api/settings', owner)).body.data.logoUrl, null);
  });
});
