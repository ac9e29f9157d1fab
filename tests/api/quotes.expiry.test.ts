import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

const DAY_MS = 86_400_000;

describe('PATCH /api/quotes/:id', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const patch = (id: string, body: object, as: Credential) => app.patch(`/api/quotes/${id}`, body, as);

  it('answers 200 with the new expiry and unchanged version and amounts', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);
    const expiresAt = inDays(60);

    const res = await patch(id, { expiresAt }, owner);

    const { version, total } = res.body;
    assert.deepEqual([res.status, res.body.expiresAt, version, total], [200, expiresAt, 1, '232.00']);
  });

  it('reopens an expired SENT quote', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.patchQuote(business, id, { status: 'SENT', expiresAt: new Date(Date.now() - 1_000) });

    const res = await patch(id, { expiresAt: inDays(5) }, business.owner);

    assert.deepEqual([res.status, res.body.isExpired, res.body.status], [200, false, 'SENT']);
  });

  it('writes an audit entry «update» with before and after, and an event for the workflow', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    const { expiresAt: before } = (await app.get(`/api/quotes/${id}`, business.owner)).body;
    const expiresAt = inDays(60);

    await patch(id, { expiresAt }, business.owner);

    const [, entry] = await auditOf(business, id);
    assert.equal(entry?.action, 'update');
    assert.deepEqual(entry?.metadata, { quoteNumber: 1, before: { expiresAt: before }, after: { expiresAt } });
    assert.equal((await eventsOf(business, id)).at(-1)?.type, 'quote.revised');
  });

  it('answers 400 «No se puede cambiar de WON a GENERATED» for a final quote', async () => {
    const business = await build.business();
    const { id } = await build.quote(business.owner);
    await build.patchQuote(business, id, { status: 'WON' });

    const res = await patch(id, { expiresAt: inDays(5) }, business.owner);

    assert.deepEqual([res.status, res.body.error], [400, 'No se puede cambiar de WON a GENERATED']);
  });

  const refusals: readonly [what: string, body: object, error: string][] = [
    ['no expiresAt', {}, 'expiresAt: es obligatorio'],
    ['a past time', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt: debe estar en el futuro'],
    ['a time after more than a year', { expiresAt: inDays(366) }, 'expiresAt: debe estar a lo más a 365 días'],
    ['a list', { expiresAt: [inDays(1)] }, 'expiresAt: debe ser texto'],
    ['null', { expiresAt: null }, 'expiresAt: debe ser texto'],
  ];
  for (const [what, body, error] of refusals) {
    it(`answers 400 «${error}» to ${what}`, async () => {
      const { owner } = await build.business();
      const { id } = await build.quote(owner);

      const res = await patch(id, body, owner);

      assert.deepEqual([res.status, res.body.error], [400, error]);
    });
  }

  it('names expiresAt and validUntil in the details when both are absent', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);

    const { body } = await patch(id, {}, owner);

    assert.deepEqual(
      body.details.map(({ path }: { path: string }) => path),
      ['expiresAt', 'validUntil'],
    );
  });

  it('ignores all other members of the body', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);

    const { body } = await patch(id, { expiresAt: inDays(5), status: 'WON', total: 1, notes: 'x' }, owner);

    assert.deepEqual([body.status, body.total, body.notes], ['GENERATED', '232.00', '']);
  });
});
