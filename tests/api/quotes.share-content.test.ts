import assert from 'node:assert/strict';
import { QuoteShare } from '../../db/models/quote-share.ts';
import * as build from './build.ts';
import { serviceWithoutWorker } from './idle-namespace.ts';
import { awayFromTheHour } from './mail-hour.ts';
import { type Credential, ownService, type Service } from './service.ts';
import { storedQuote } from './stored.ts';

// No worker runs here: tests/journey/share-recipients.test.ts has complete shares.
describe('Content of POST /api/quotes/:id/share', () => {
  let app: Service;
  let business: build.Business;
  before(async () => {
    app = await serviceWithoutWorker();
    business = await build.business();
  });

  const share = (id: string, body: unknown, as: Credential = business.owner) =>
    app.post(`/api/quotes/${id}/share`, body, as);
  const rowsOf = ({ tenantId }: build.Business, quoteId: string) =>
    app.deps.withTenant(tenantId, (trx) => QuoteShare.query(trx).where({ tenantId, quoteId }).orderBy('createdAt'));
  const many = (n: number) => Array.from({ length: n }, (_, i) => `p${i}@x.test`);

  for (const [what, body, message] of [
    ['50 copies', { cc: many(50) }, 'cc: debe tener como máximo 5 elementos'],
    ['six recipients', { to: many(6) }, 'to: debe tener como máximo 5 elementos'],
    ['an invalid address', { to: ['a@x.test', 'no'] }, 'to.1: debe ser un correo electrónico válido'],
    [
      'a line break in an address',
      { cc: ['a@x.test\r\nBcc: b@x.test'] },
      'cc.0: debe ser un correo electrónico válido',
    ],
    [
      'a message of 1,001 code points',
      { message: '😀'.repeat(1_001) },
      'message: debe tener como máximo 1000 caracteres',
    ],
    ['U+0000 in a message', { message: 'a\u0000' }, 'message: contiene caracteres no permitidos'],
    ['an unknown channel', { channel: 'sms' }, 'channel: debe ser uno de: email, link'],
  ] as const) {
    it(`answers 400 to ${what}, before 404`, async () => {
      const res = await share('no', body);

      assert.deepEqual([res.status, res.body.error], [400, message]);
    });
  }

  it('on FREE answers 403 with the paths of addresses that are not the client’s, and starts nothing', async () => {
    const free = await build.business({ plan: 'FREE' });
    const client = await build.client(free.owner, { contacts: [{ name: 'Luis', email: 'luis@cliente.test' }] });
    const { id } = await build.quote(free.owner, { clientId: client.id });

    const res = await share(
      id,
      { to: [client.email.toUpperCase(), 'otro@x.test'], cc: ['LUIS@cliente.test'] },
      free.owner,
    );

    assert.deepEqual(
      [res.status, res.body.error, res.body.code],
      [403, 'Función disponible en el plan Pro', 'plan_required'],
    );
    assert.deepEqual(
      res.body.details.map(({ path }: { path: string }) => path),
      ['to.1'],
    );
    assert.deepEqual(await rowsOf(free, id), []);
  });

  it('needs no address of the client with recipients, and answers 400 «El cliente no tiene correo electrónico» to copies alone', async () => {
    const client = await build.client(business.owner, { email: null });
    const { id } = await build.quote(business.owner, { clientId: client.id });

    const res = await share(id, { cc: ['ana@x.test'] });

    assert.deepEqual([res.status, res.body.error], [400, 'El cliente no tiene correo electrónico']);
    assert.deepEqual(await rowsOf(business, id), []);
  });

  it('keeps recipients and message in one row for calls with the same content, cleaned, with the names of the client’s people', async () => {
    const client = await build.client(business.owner, {
      contacts: [{ name: 'Luis\r\nRivas', email: 'luis@cliente.test' }],
    });
    const { id } = await build.quote(business.owner, { clientId: client.id });
    const body = { to: ['Luis@cliente.test', 'ana@x.test'], cc: ['ANA@x.test'], message: ' Hola\r\nLuis\u202e ' };

    const answers = await Promise.all([share(id, body), share(id, body), share(id, { ...body, cc: [] })]);

    for (const res of answers) assert.deepEqual([res.status, res.body.code], [503, 'share_pending']);
    const rows = await rowsOf(business, id);
    assert.deepEqual(rows.map(({ status, message }) => [status, message]), [['PENDING', 'Hola\nLuis']]); // prettier-ignore
    assert.deepEqual(JSON.parse(rows[0]?.recipients ?? ''), {
      to: [
        { name: 'Luis Rivas', address: 'Luis@cliente.test' },
        { name: '', address: 'ana@x.test' },
      ],
      cc: [],
    });
  });

  it('a keyed call that joins another keeps the id of that one for its repetitions', async () => {
    const { id } = await build.quote(business.owner);
    const keyed = { ...business.owner, 'Idempotency-Key': 'unida' };

    await Promise.all([share(id, undefined), share(id, {}, keyed)]);

    const [row, ...more] = await rowsOf(business, id);
    const [call] = await app.deps.withTenant(business.tenantId, (trx) =>
      trx('idempotencyKeys').where({ tenantId: business.tenantId }).select<{ attemptId: string }[]>('attemptId'),
    );
    assert.deepEqual([more.length, call?.attemptId], [0, row?.id]);
  });

  it('each recipient counts against the mail quota: 429 before anything is sent', async () => {
    await awayFromTheHour();
    const limited = await ownService({ RATE_LIMITS: 'on', RATE_MAIL_PER_HOUR: '3', RATE_MAIL_PER_DAY: '50' });
    const own = await build.business();
    const { id } = await build.quote(own.owner);

    const res = await limited.post(`/api/quotes/${id}/share`, { to: many(3), cc: ['c@x.test'] }, own.owner);

    assert.deepEqual([res.status, res.body.error], [429, 'Demasiadas solicitudes']);
    assert.equal((await storedQuote(own, id)).status, 'GENERATED');
    assert.deepEqual(await rowsOf(own, id), []);
  });

  it('a share that Temporal did not get counts nothing, and the next one starts anew', async () => {
    await awayFromTheHour();
    const away = await ownService({
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'on',
      RATE_MAIL_PER_HOUR: '3',
      RATE_MAIL_PER_DAY: '50',
    });
    const own = await build.business();
    const { id } = await build.quote(own.owner);
    const call = () => away.post(`/api/quotes/${id}/share`, { to: many(3) }, own.owner);

    const answers = [await call(), await call()];

    for (const res of answers) assert.deepEqual([res.status, res.body.code], [503, 'unavailable']);
    assert.deepEqual(
      (await rowsOf(own, id)).map(({ status }) => status),
      ['FAILED', 'FAILED'],
    );
  });
});
