import assert from 'node:assert/strict';
import { needs } from '../stack.ts';
import { rows } from '../worker/dispatcher-world.ts';
import * as build from './build.ts';
import { type Response, type Service, service } from './service.ts';
import { auditOf, eventsOf, storedQuote } from './stored.ts';

needs('storage');

const REQUEST = { message: '¿Puede incluir la instalación?', version: 1 } as const;
const mailsOf = (messageId: unknown) =>
  rows('select kind, user_id, status from mails where message_id = $1', String(messageId));

describe('POST /api/portal/:token/request-changes', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const messagesOf = async ({ owner }: build.Business, id: string) =>
    (await app.get(`/api/quotes/${id}/messages`, owner)).body;

  it('answers 201 {id}; the status stays, the creator gets a mail and a notification, the audit log an entry of the portal', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    const res = await app.post(`${portal}/request-changes`, { ...REQUEST, name: ' Laura ', email: 'l@otra.test' });

    assert.equal(res.status, 201);
    assert.deepEqual(Object.keys(res.body), ['id']);
    assert.equal((await storedQuote(business, id)).status, 'SENT');
    const { data, total } = await messagesOf(business, id);
    const { createdAt, ...message } = data[0];
    assert.equal(total, 1);
    assert.ok(Date.parse(createdAt));
    assert.deepEqual(message, {
      id: res.body.id,
      direction: 'inbound',
      author: { name: 'Laura', email: 'l@otra.test' },
      body: REQUEST.message,
      version: 1,
      mailStatus: 'PENDING',
    });
    assert.deepEqual(await mailsOf(res.body.id), [
      { kind: 'change_request', user_id: business.userId, status: 'PENDING' },
    ]);
    const notified = await rows(
      'select user_id, type, body from notifications where event_id = $1',
      `changes.${res.body.id}`,
    );
    assert.deepEqual(notified, [
      { user_id: business.userId, type: 'quote_changes_requested', body: `COT-1 · ${REQUEST.message}` },
    ]);
    const event = (await eventsOf(business, id)).find(({ type }) => type === 'quote.changes_requested');
    const { quote, ...more } = event?.body.data ?? {};
    assert.equal(quote?.['status'], 'SENT');
    assert.deepEqual(more, {
      request: { id: res.body.id, message: REQUEST.message, name: 'Laura', email: 'l@otra.test', version: 1 },
    });
    const entry = (await auditOf(business, id)).find(({ action }) => action === 'changes_requested');
    assert.deepEqual(
      [entry?.actor, entry?.metadata],
      ['portal', { quoteNumber: 1, version: 1, messageId: res.body.id }],
    );
  });

  it('takes 2,000 emoji and answers 400 for 2,001, as other limits count code points', async () => {
    const { portal } = await build.sentQuote(await build.business());

    const longest = await app.post(`${portal}/request-changes`, { ...REQUEST, message: '🙂'.repeat(2_000) });
    const longer = await app.post(`${portal}/request-changes`, { ...REQUEST, message: '🙂'.repeat(2_001) });

    assert.deepEqual([longest.status, longer.status, longer.body.details[0].path], [201, 400, 'message']);
  });

  it('answers 400 for a message without a visible character, an invalid address and a missing version', async () => {
    const { portal } = await build.sentQuote(await build.business());

    for (const body of [{ ...REQUEST, message: ' \u200b ' }, { ...REQUEST, email: 'laura' }, { message: 'a' }, {}])
      assert.equal((await app.post(`${portal}/request-changes`, body)).status, 400);
  });

  it('answers 409 «La versión de la cotización cambió» for another version', async () => {
    const { portal } = await build.sentQuote(await build.business());

    const res = await app.post(`${portal}/request-changes`, { ...REQUEST, version: 2 });

    assert.deepEqual([res.status, res.body.error], [409, 'La versión de la cotización cambió']);
  });

  for (const status of ['ACCEPTED', 'REJECTED', 'WON', 'LOST'] as const) {
    it(`answers 409 «La cotización ya fue respondida» for a quote that is ${status}`, async () => {
      const business = await build.business();
      const { id, portal } = await build.sentQuote(business);
      await build.patchQuote(business, id, { status });

      const res = await app.post(`${portal}/request-changes`, REQUEST);

      assert.deepEqual([res.status, res.body.error], [409, 'La cotización ya fue respondida']);
    });
  }

  it('answers 410 «La cotización venció» after the expiry, and records nothing', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await build.patchQuote(business, id, { expiresAt: new Date(Date.now() - 1_000) });

    const res = await app.post(`${portal}/request-changes`, REQUEST);

    assert.deepEqual([res.status, res.body.error], [410, 'La cotización venció']);
    assert.equal((await messagesOf(business, id)).total, 0);
  });

  it('answers 404 for an unknown link, a quote that was never sent and a business on FREE', async () => {
    const business = await build.business();
    const { publicToken } = await build.quote(business.owner);
    const free = await build.business();
    const { portal } = await build.sentQuote(free);
    await build.patchTenant(free, { plan: 'FREE' });

    for (const path of [`/api/portal/${'x'.repeat(43)}`, `/api/portal/${publicToken}`, portal])
      assert.equal((await app.post(`${path}/request-changes`, REQUEST)).status, 404);
  });

  it('the same request again on the same day answers 201 with the same id and has no second effect', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);

    const both = await Promise.all([1, 2].map(() => app.post(`${portal}/request-changes`, REQUEST)));

    assert.deepEqual(
      both.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(both[0]?.body.id, both[1]?.body.id);
    assert.equal((await messagesOf(business, id)).total, 1);
  });

  it('of three at the same moment after eight on that day two are recorded; the third answers 429 until the next day', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await rows(
      `insert into quote_messages (id, tenant_id, quote_id, direction, body, version, created_at)
       select $2 || n, $1, $2, 'inbound', 'Antes', 1, now() from generate_series(1, 8) n`,
      business.tenantId,
      id,
    );

    const responses = await Promise.all(
      Array.from({ length: 3 }, (_, at) =>
        app.post(`${portal}/request-changes`, { ...REQUEST, message: `Cambio ${at}` }),
      ),
    );

    const refused = responses.filter(({ status }) => status === 429);
    const wait = Number(refused[0]?.headers.get('Retry-After'));
    assert.equal(responses.filter(({ status }) => status === 201).length, 2);
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.body.reason, 'message_limit_reached');
    assert.ok(wait > 0 && wait <= 86_400, `${wait} s`);
    assert.equal((await messagesOf(business, id)).total, 10);
  });

  it('ten of the day before do not count', async () => {
    const business = await build.business();
    const { id, portal } = await build.sentQuote(business);
    await rows(
      `insert into quote_messages (id, tenant_id, quote_id, direction, body, version, created_at)
       select $2 || n, $1, $2, 'inbound', 'Ayer', 1, now() - interval '1 day' from generate_series(1, 10) n`,
      business.tenantId,
      id,
    );

    assert.equal((await app.post(`${portal}/request-changes`, REQUEST)).status, 201);
  });

  it('at the same moment as an acceptance is recorded before it, or refused with 409 after it', async () => {
    const business = await build.business();
    for (let tried = 0; tried < 3; tried += 1) {
      const { id, portal } = await build.sentQuote(business);

      const [accepted, asked] = await Promise.all([
        app.post(`${portal}/accept`, build.SIGNER),
        app.post(`${portal}/request-changes`, REQUEST),
      ]);

      const { total } = await messagesOf(business, id);
      assert.equal(accepted.status, 200);
      assert.equal((await storedQuote(business, id)).status, 'ACCEPTED');
      assert.deepEqual([asked.status, total], asked.status === 201 ? [201, 1] : [409, 0]);
    }
  });
});

describe('Change requests on the page /p/:token', () => {
  let app: Service;
  let own: Record<string, string>;
  before(async () => {
    app = await service();
    own = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(app.deps.config.PUBLIC_URL).origin,
    };
  });
  const submit = (path: string, fields: Record<string, string>, headers = own) =>
    app.request('POST', path, { headers, body: new URLSearchParams(fields).toString() });
  const textOf = ({ bytes }: Response): string => bytes.toString();

  it('the form answers 303 to the page, which then shows the request', async () => {
    const business = await build.business();
    const { page } = await build.sentQuote(business);

    const res = await submit(`${page}/request-changes`, { version: '1', changeMessage: 'Más <barato>\r\npor favor' });

    assert.deepEqual([res.status, res.headers.get('Location')], [303, page]);
    const text = textOf(await app.get(page));
    assert.match(text, /Pidió cambios el/);
    assert.match(text, /Más &lt;barato&gt;\npor favor/);
  });

  it('a refused form is shown again, open, with what was written and a message beside each field', async () => {
    const { page } = await build.sentQuote(await build.business());
    const message = '🙂'.repeat(2_001);

    const res = await submit(`${page}/request-changes`, { version: '1', changeMessage: message, changeEmail: 'laura' });

    const text = textOf(res);
    assert.equal(res.status, 400);
    assert.match(text, /<details class="changes" id="cambios" open>/);
    assert.ok(text.includes(message));
    assert.match(text, /Escriba qué desea cambiar, con 2000 caracteres como máximo\./);
    assert.match(text, /href="#changeEmail"/);
  });

  it('a form of another site answers 403 and records nothing', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);
    const foreign = { ...own, Origin: 'https://otro.example' };

    const res = await submit(`${page}/request-changes`, { version: '1', changeMessage: 'x' }, foreign);

    assert.equal(res.status, 403);
    assert.equal((await app.get(`/api/quotes/${id}/messages`, business.owner)).body.total, 0);
  });
});

describe('Page /p/:token/stop-reminders', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });
  const stoppedAt = async (business: build.Business, id: string) =>
    (await storedQuote(business, id)).remindersStoppedAt;
  const post = (path: string, headers: Record<string, string>, body = '') =>
    app.request('POST', path, { headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, body });

  it('GET shows a button and changes nothing', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);

    const res = await app.get(`${page}/stop-reminders`);

    assert.equal(res.status, 200);
    assert.match(res.bytes.toString(), /<form method="post"[^>]*stop-reminders[\s\S]*Dejar de recibir recordatorios/);
    assert.equal(await stoppedAt(business, id), null);
  });

  it('POST of the page stops them once and leads back, where the page says so', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);
    const own = { Origin: new URL(app.deps.config.PUBLIC_URL).origin };

    const res = await post(`${page}/stop-reminders?lang=en-US`, own);
    const first = await stoppedAt(business, id);
    await post(`${page}/stop-reminders`, own);

    assert.deepEqual([res.status, res.headers.get('Location')], [303, `${page}/stop-reminders?lang=en-US`]);
    assert.ok(first);
    assert.deepEqual(await stoppedAt(business, id), first);
    assert.match(
      (await app.get(`${page}/stop-reminders?lang=en-US`)).bytes.toString(),
      /You will get no more reminders/,
    );
  });

  it('a POST of a mail program, without an Origin, stops them and answers 200', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);

    const res = await post(`${page}/stop-reminders`, {}, 'List-Unsubscribe=One-Click');

    assert.equal(res.status, 200);
    assert.ok(await stoppedAt(business, id));
  });

  it('a POST of another site answers 403, an unknown link 404; neither changes anything', async () => {
    const business = await build.business();
    const { id, page } = await build.sentQuote(business);

    assert.equal((await post(`${page}/stop-reminders`, { Origin: 'https://otro.example' })).status, 403);
    assert.equal((await post(`/p/${'x'.repeat(43)}/stop-reminders`, {}, 'List-Unsubscribe=One-Click')).status, 404);
    assert.equal(await stoppedAt(business, id), null);
  });
});
