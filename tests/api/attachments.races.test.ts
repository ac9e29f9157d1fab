import assert from 'node:assert/strict';
import { freePort } from '../../dev/ports.ts';
import { newId } from '../../db/ids.ts';
import { IdempotencyKey } from '../../db/models/idempotency-key.ts';
import { QuoteAttachment } from '../../db/models/quote-attachment.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import { startOwnProcess } from '../own-process.ts';
import { needs, testStack } from '../stack.ts';
import { attach, form, pdf } from './attachment-files.ts';
import * as build from './build.ts';
import { type Credential, ownService, type Service, service } from './service.ts';

needs('storage');

const MEGABYTE = 1024 * 1024;

describe('Uploads of attachments that race, repeat or are cut short', () => {
  let app: Service;
  let business: build.Business;
  let owner: Credential;
  beforeEach(async () => {
    app = await service();
    business = await build.business();
    ({ owner } = business);
  });

  const listOf = async (id: string) => (await app.get(`/api/quotes/${id}/attachments`, owner)).body;
  const file = (mark: string, bytes = 600) => form(pdf({ mark, bytes }), `${mark}.pdf`);
  const statusesOf = (responses: readonly { status: number }[]) =>
    responses.map(({ status }) => status).toSorted((a, b) => a - b);
  const rowsOf = () =>
    app.deps.withTenant(business.tenantId, async (trx) => ({
      files: await StoredFile.query(trx).where({ tenantId: business.tenantId, kind: 'attachment' }),
      references: await QuoteAttachment.query(trx).where({ tenantId: business.tenantId }),
    }));

  it('of six concurrent uploads to a quote five are attached', async () => {
    const { id } = await build.quote(owner);

    const responses = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((mark) => attach(app, owner, id, file(mark))),
    );

    assert.deepEqual(statusesOf(responses), [201, 201, 201, 201, 201, 409]);
    const list = await listOf(id);
    assert.equal(list.length, 5);
    const positions = (await rowsOf()).references.map(({ position }) => position).toSorted((a, b) => a - b);
    assert.deepEqual(positions, [0, 1, 2, 3, 4]);
  });

  it('of three concurrent uploads of 4 MB to a quote two are attached', async () => {
    const { id } = await build.quote(owner);

    const responses = await Promise.all(
      ['a', 'b', 'c'].map((mark) => attach(app, owner, id, file(mark, 4 * MEGABYTE))),
    );

    assert.deepEqual(statusesOf(responses), [201, 201, 409]);
  });

  it('concurrent uploads to several quotes do not exceed the space of the business', async () => {
    const small = await ownService({ ATTACHMENTS_PRO_MB: '1' });
    const quotes = [await build.quote(owner), await build.quote(owner), await build.quote(owner)];

    const responses = await Promise.all(
      quotes.map(({ id }, index) => attach(small, owner, id, file(`${index}`, 0.7 * MEGABYTE))),
    );

    assert.deepEqual(statusesOf(responses), [201, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    assert.equal(refused?.body.error, 'Se alcanzó el espacio para archivos del negocio');
    assert.equal(refused.body.reason, 'attachment_quota_reached');
  });

  it('the space of a business depends on its plan, and a shared file counts once', async () => {
    const small = await ownService({ ATTACHMENTS_PRO_MB: '2', ATTACHMENTS_FREE_MB: '1' });
    const [one, two] = [await build.quote(owner), await build.quote(owner)];
    const large = () => file('a', 0.7 * MEGABYTE);

    const first = await attach(small, owner, one.id, large());
    await build.patchTenant(business, { plan: 'FREE' });
    const shared = await attach(small, owner, two.id, large());
    const beyond = await attach(small, owner, two.id, file('b', 0.7 * MEGABYTE));
    await build.patchTenant(business, { plan: 'PRO' });
    const onPro = await attach(small, owner, two.id, file('b', 0.7 * MEGABYTE));

    assert.deepEqual(
      [first, shared, beyond, onPro].map(({ status }) => status),
      [201, 201, 409, 201],
    );
  });

  it('a repeated Idempotency-Key attaches once and returns the same response', async () => {
    const { id } = await build.quote(owner);
    const as = { ...owner, 'Idempotency-Key': newId() };

    const first = await attach(app, as, id, file('a'));
    const second = await attach(app, as, id, file('a'));
    const other = await attach(app, as, id, file('b'));

    assert.deepEqual([second.status, second.body], [201, first.body]);
    assert.equal(second.headers.get('Idempotency-Replayed'), 'true');
    assert.deepEqual([other.status, other.body.error], [422, 'Idempotency-Key usada con otro contenido']);
    assert.equal((await listOf(id)).length, 1);
  });

  it('a repeated Idempotency-Key whose first request died after its commit attaches nothing more', async () => {
    const { id } = await build.quote(owner);
    const as = { ...owner, 'Idempotency-Key': newId() };
    const first = await attach(app, as, id, file('a'));
    const { tenantId } = business;
    await app.deps.withTenant(tenantId, (trx) =>
      IdempotencyKey.query(trx)
        .where({ tenantId })
        .patch({ answerSealed: null, startedAt: new Date(Date.now() - 60_000) }),
    );

    const second = await attach(app, as, id, file('a'));

    assert.deepEqual([second.status, second.body], [201, first.body]);
    assert.equal((await listOf(id)).length, 1);
  });

  it('answers 503 while the storage is down, and the quote has nothing', async () => {
    const { id } = await build.quote(owner);
    const cut = await ownService({ S3_ENDPOINT: 'http://127.0.0.1:9' });

    const res = await attach(cut, owner, id, file('a'));

    assert.deepEqual([res.status, res.body.error], [503, 'Servicio no disponible, intente más tarde']);
    assert.deepEqual(await listOf(id), []);
    assert.deepEqual((await rowsOf()).references, []);
    assert.equal((await attach(app, owner, id, file('a'))).status, 201);
  });

  it('answers 503 to a download while the storage is down or the stored bytes are altered', async () => {
    const { id } = await build.quote(owner);
    const { body } = await attach(app, owner, id, file('a'));
    const path = `/api/quotes/${id}/attachments/${body.id}`;
    const cut = await ownService({ S3_ENDPOINT: 'http://127.0.0.1:9' });

    const down = await cut.get(path, owner);
    await app.deps.storage.put(`t/${business.tenantId}/${body.sha256}`, pdf({ mark: 'otro' }), 'application/pdf');
    const altered = await app.get(path, owner);

    assert.deepEqual([down.status, altered.status], [503, 503]);
  });

  it('an API killed between storage and reference leaves no attachment, and a repeated upload succeeds', async () => {
    const { id } = await build.quote(owner);
    const port = await freePort();
    const { env } = await testStack();
    const dying = await startOwnProcess('tests/api/dying-uploader.ts', { ...env, PORT: String(port) });
    const key = newId();

    await assert.rejects(
      attach({ url: `http://127.0.0.1:${port}` }, { ...owner, 'Idempotency-Key': key }, id, file('a')),
    );
    await dying.kill();

    const left = await rowsOf();
    assert.deepEqual([left.files.length, left.references], [1, []]);
    assert.deepEqual(await listOf(id), []);
    assert.equal((await attach(app, owner, id, file('a'))).status, 201);
    assert.equal((await rowsOf()).files.length, 1);
  });
});
