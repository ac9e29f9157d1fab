import assert from 'node:assert/strict';
import { newApiKey } from '../../adapters/crypto/api-keys.ts';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { newId } from '../../db/ids.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { type MarkedBusiness, markedBusinesses, talkative } from '../journey/canary-world.ts';
import { logLines } from '../journey/traces.ts';

/** Canary values are put wherever users can put one; then the logs of both processes at level trace are searched. */
describe('logs of API and worker at level trace', function () {
  this.timeout(300_000);
  let service: Installation;
  let businesses: readonly MarkedBusiness[];
  let mine: MarkedBusiness;
  before(async () => {
    service = await talkative();
    businesses = await markedBusinesses();
    mine = businesses[0] ?? assert.fail();
  });

  const found = async (marks: readonly string[]): Promise<readonly string[]> => {
    const lines = await logLines(service);
    return marks.filter((mark) => lines.some(({ text }) => text.includes(mark)));
  };
  const nothingOf = async (marks: readonly string[]) => assert.deepEqual(await found(marks), []);
  const json = { 'Content-Type': 'application/json' };

  it('record the work, so that the absence of a value means something', async () => {
    const lines = await logLines(service);

    assert.ok(lines.filter(({ what }) => what === 'api').length > 30);
    assert.ok(businesses.every(({ ids: [tenantId = ''] }) => lines.some(({ text }) => text.includes(tenantId))));
  });

  it('contain no password, key, secret, token, account number, signature or session', () =>
    nothingOf(businesses.flatMap(({ secrets }) => Object.values(secrets))));

  it('contain no name, address or other text of users', () => nothingOf(businesses.map(({ word }) => word)));

  it('contain no headers, cookies, addresses or bodies of refused requests', async () => {
    const marks = Array.from({ length: 8 }, () => `plantado${newId()}`);
    const [password, cookie, key, header, query, body, path, file] = marks;
    const look = newApiKey().key;
    const token = newToken();

    await service.http.post('/api/auth/callback/credentials', { email: `${mine.word}@dueno.test`, password });
    await service.http.get('/api/quotes', { Cookie: `quoting.session-token=${cookie}` });
    await service.http.get('/api/quotes', { Authorization: `Bearer ${key}` });
    await service.http.get('/api/quotes', { Authorization: `Bearer ${look}`, 'X-Secreto': String(header) });
    await service.http.get(`/api/quotes?search=${query}`, mine.owner);
    await service.http.request('POST', '/api/clients', { headers: { ...mine.owner, ...json }, body: `{"a": ${body}` });
    await service.http.get(`/${path}`);
    await service.http.get(`/p/${token}`);
    await service.http.get(`/api/portal/${token}/pdf`);
    await service.http.post('/api/auth/reset-password', { token, password: String(password) });
    await service.http.request('POST', '/api/settings/logo', {
      headers: { ...mine.owner, 'Content-Type': 'multipart/form-data; boundary=x' },
      body: `--x\r\nContent-Disposition: form-data; name="logo"; filename="${file}.png"\r\n\r\n${file}\r\n--x--\r\n`,
    });

    await nothingOf([...marks, look, token, hashToken(token)]);
  });

  it('contain nothing of a row that the database refuses, although its error quotes it', async () => {
    const contactName = `plantado${newId()}`;
    // Row security keeps PostgreSQL from quoting rows by itself; a trigger may still do it.
    await service.rows(`create function planted() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using detail = 'Failing row contains ' || new::text; end $$`);
    await service.rows(`create trigger planted before insert on clients for each row
      when (new.contact_name = '${contactName}') execute function planted()`);
    const email = `${newId()}@plantado.test`;

    const res = await service.http.post('/api/clients', { contactName, email, taxId: 'XAXX010101000' }, mine.owner);

    await service.rows('drop function planted cascade');
    assert.equal(res.status, 500);
    await eventually(async () => {
      assert.deepEqual(await found([String(res.body.requestId)]), [String(res.body.requestId)]);
    });
    await nothingOf([contactName, email]);
  });

  it('contain no recipient and no content of a refused mail', async () => {
    const mailbox = `plantado${newId()}`;
    const client = await service.http.post(
      '/api/clients',
      { contactName: mailbox, email: `reject+550@${mailbox}.test` },
      mine.owner,
    );
    const items = [{ productName: mailbox, quantity: 1, unitPrice: 1 }];
    const quote = await service.http.post('/api/quotes', { clientId: client.body.id, items }, mine.owner);

    const res = await service.http.post(`/api/quotes/${quote.body.id}/share`, undefined, mine.owner);

    assert.equal(res.status, 500);
    await nothingOf([mailbox, quote.body.publicToken]);
  });

  it('contain no path and no token of a failing endpoint', async () => {
    const [path, token] = [`plantado${newId()}`, `plantado${newId()}`];
    const url = `http://127.0.0.1:9/${path}?token=${token}`;
    const webhook = await service.http.post('/api/webhooks', { url, events: ['client.created'] }, mine.owner);

    const res = await service.http.post(`/api/webhooks/${webhook.body.id}/test`, undefined, mine.owner);
    await service.http.post('/api/clients', { contactName: 'Laura' }, mine.owner);

    assert.equal(res.status, 502);
    await eventually(async () => {
      const [row] = await service.rows(
        `select count(*)::int as n from webhook_deliveries where webhook_id = $1 and event = 'client.created'
           and error_code is not null`,
        webhook.body.id,
      );
      assert.equal(row?.['n'], 1);
    });
    await nothingOf([path, token, webhook.body.secret]);
  });

  it('contain no password of the servers behind the service', async () => {
    const { env } = service;
    const passwords = [env['DATABASE_URL'], env['DATABASE_DISPATCHER_URL'], env['SMTP_URL']]
      .map((url) => new URL(url ?? '').password)
      .filter((password) => password !== '');

    await nothingOf(
      [...passwords, env['S3_SECRET_ACCESS_KEY'], env['SESSION_SECRETS'], env['ENCRYPTION_KEYS']].map(String),
    );
  });
});
