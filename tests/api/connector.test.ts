import assert from 'node:assert/strict';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';
import { auditOf, eventsOf } from './stored.ts';

const ITEM = { productName: 'Silla', model: 'SE-200', unitPrice: 100, quantity: 2, discountPct: 10 };

describe('/api/connector', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const template = async (as: Credential, body: Record<string, unknown> = {}) => {
    const res = await app.post('/api/templates', { name: 'Oficina', items: [ITEM], ...body }, as);
    assert.equal(res.status, 201, JSON.stringify(res.body));
    return res.body as { id: string };
  };
  const remove = (path: string, as: Credential) => app.request('DELETE', path, { headers: as });
  const fromTemplate = (body: unknown, as: Credential) =>
    app.post('/api/connector/actions/create-from-template', body, as);

  describe('GET /me', () => {
    it('answers user and tenant, also to a key under /api/v1', async () => {
      const business = await build.business({ companyName: 'Muebles' });
      const { as, userId } = await build.member(business);

      const res = await app.get('/api/v1/connector/me', as);

      assert.equal(res.status, 200);
      assert.deepEqual(res.body, {
        user: { id: userId, email: `${userId}@colaborador.test`, name: 'Carlos', role: 'COLLABORATOR' },
        tenant: { id: business.tenantId, companyName: 'Muebles', plan: 'PRO' },
      });
    });
  });

  describe('GET /actions/list-templates', () => {
    it('answers {id, name, label, value} of active templates, newest first', async () => {
      const { owner } = await build.business();
      const [one, two, gone] = [
        await template(owner, { name: 'Uno' }),
        await template(owner, { name: 'Dos' }),
        await template(owner),
      ];
      await remove(`/api/templates/${gone.id}`, owner);

      const res = await app.get('/api/connector/actions/list-templates', owner);

      assert.deepEqual(res.body, [
        { id: two.id, name: 'Dos', label: 'Dos', value: two.id },
        { id: one.id, name: 'Uno', label: 'Uno', value: one.id },
      ]);
    });

    it('searches names without case and accents, with literal wildcards, and pages', async () => {
      const { owner } = await build.business();
      for (const name of ['Básica', '100% básica', 'Otra']) await template(owner, { name });
      const names = async (query: string): Promise<string[]> =>
        (await app.get(`/api/connector/actions/list-templates?${query}`, owner)).body.map(
          ({ name }: { name: string }) => name,
        );

      assert.deepEqual(await names('search=BASICA'), ['100% básica', 'Básica']);
      assert.deepEqual(await names('search=100%25'), ['100% básica']);
      assert.deepEqual(await names('search=_'), []);
      assert.deepEqual(await names('limit=2&page=2'), ['Básica']);
    });
  });

  describe('POST /actions/create-from-template', () => {
    it("answers 201 with a quote with the template's lines, notes, shipping and currency, money as numbers", async () => {
      const business = await build.business();
      const notes = 'n'.repeat(2000);
      const { id: templateId } = await template(business.owner, { notes, shippingCost: 50, currency: 'USD' });
      const client = await build.client(business.owner);

      const res = await fromTemplate({ templateId, clientId: client.id }, business.owner);

      assert.equal(res.status, 201);
      const { quoteNumber, status, subtotal, tax, shippingCost, total, currency } = res.body;
      assert.deepEqual(
        [quoteNumber, status, subtotal, tax, shippingCost, total, currency, res.body.notes],
        [1, 'GENERATED', 180, 28.8, 50, 258.8, 'USD', notes],
      );
      assert.deepEqual(
        res.body.items.map((item: typeof ITEM) => [
          item.productName,
          item.model,
          item.unitPrice,
          item.quantity,
          item.discountPct,
        ]),
        [['Silla', 'SE-200', 100, 2, 10]],
      );
      assert.equal(res.body.client.id, client.id);
    });

    it('notes and shippingCost of the body override the template, also "" and 0', async () => {
      const { owner } = await build.business();
      const { id: templateId } = await template(owner, { notes: 'De la plantilla', shippingCost: 50 });
      const { id: clientId } = await build.client(owner);

      const res = await fromTemplate({ templateId, clientId, notes: '', shippingCost: 0 }, owner);

      assert.deepEqual([res.body.notes, res.body.shippingCost], ['', 0]);
    });

    it('uses the default notes of the business when the template has none', async () => {
      const { owner } = await build.business({ defaultNotes: 'Del negocio' });
      const { id: templateId } = await template(owner);
      const { id: clientId } = await build.client(owner);

      assert.equal((await fromTemplate({ templateId, clientId }, owner)).body.notes, 'Del negocio');
    });

    it('allows collaborators and writes event and audit entry as for any quote', async () => {
      const business = await build.business();
      const { id: templateId } = await template(business.owner);
      const { as, userId } = await build.member(business);
      const { id: clientId } = await build.client(as);

      const res = await fromTemplate({ templateId, clientId }, as);

      assert.equal(res.status, 201);
      const [entry] = await auditOf(business, res.body.id);
      assert.deepEqual([entry?.action, entry?.entity, entry?.userId, entry?.actor], ['create', 'quote', userId, 'key']);
      assert.deepEqual(
        (await eventsOf(business, res.body.id)).map(({ type }) => type),
        ['quote.created'],
      );
    });

    it('answers 404 «Plantilla no encontrada» for a template that is missing, deleted or of another business', async () => {
      const [mine, other] = [await build.business(), await build.business()];
      const { id: clientId } = await build.client(mine.owner);
      const [foreign, deleted] = [await template(other.owner), await template(mine.owner)];
      await remove(`/api/templates/${deleted.id}`, mine.owner);

      for (const templateId of ['nada', foreign.id, deleted.id]) {
        const res = await fromTemplate({ templateId, clientId }, mine.owner);
        assert.deepEqual([res.status, res.body.error], [404, 'Plantilla no encontrada']);
      }
    });

    it("answers 404 «Cliente no encontrado» for another business's client and consumes no number", async () => {
      const [mine, other] = [await build.business(), await build.business()];
      const { id: templateId } = await template(mine.owner);
      const foreign = await build.client(other.owner);

      const res = await fromTemplate({ templateId, clientId: foreign.id }, mine.owner);
      const { id: clientId } = await build.client(mine.owner);

      assert.deepEqual([res.status, res.body.error], [404, 'Cliente no encontrado']);
      assert.equal((await fromTemplate({ templateId, clientId }, mine.owner)).body.quoteNumber, 1);
    });

    it('answers 400 «currency: debe ser un código ISO 4217» for a template with an invalid currency', async () => {
      const { owner } = await build.business();
      const { id: templateId } = await template(owner, { currency: 'PESOS' });
      const { id: clientId } = await build.client(owner);

      const res = await fromTemplate({ templateId, clientId }, owner);

      assert.deepEqual([res.status, res.body.error], [400, 'currency: debe ser un código ISO 4217']);
    });
  });

  describe('GET /triggers/:event/sample', () => {
    const sample = (event: string, as: Credential) => app.get(`/api/connector/triggers/${event}/sample`, as);

    it('answers the newest 3 webhook bodies', async () => {
      const business = await build.business();
      const { id: clientId } = await build.client(business.owner);
      for (let n = 0; n < 4; n += 1) await build.quote(business.owner, { clientId });

      const res = await sample('quote.created', business.owner);

      assert.equal(res.status, 200);
      const bodies = (await eventsOf(business)).filter(({ type }) => type === 'quote.created').map(({ body }) => body);
      assert.deepEqual(res.body, bodies.toReversed().slice(0, 3));
    });

    for (const event of SUBSCRIBABLE_EVENTS) {
      it(`answers one sample body of ${event} for a business without events`, async () => {
        const { owner } = await build.business();

        const { status, body } = await sample(event, owner);

        assert.deepEqual(
          [status, body.length, body[0].event, Object.keys(body[0])],
          [200, 1, event, ['event', 'timestamp', 'data']],
        );
      });
    }

    it('shows a collaborator only own quotes', async () => {
      const business = await build.business();
      await build.quote(business.owner, { notes: 'secreta' });
      const { as } = await build.member(business);
      const { id: clientId } = await build.client(as);
      const before = await sample('quote.created', as);
      const own = await build.quote(as, { clientId });

      const after = await sample('quote.created', as);

      assert.ok(!JSON.stringify(before.body).includes('secreta'));
      assert.deepEqual(
        after.body.map(({ data }: { data: { quote: { id: string } } }) => data.quote.id),
        [own.id],
      );
    });

    it('answers 400 to an event that is not subscribable', async () => {
      const { owner } = await build.business();

      assert.equal((await sample('quote.revised', owner)).status, 400);
    });
  });

  describe('/hooks', () => {
    const hook = { targetUrl: 'https://hooks.example.com/1', event: 'quote.created' };

    it('POST answers 201 {id} of a webhook with that event; DELETE answers {ok: true} and removes it', async () => {
      const business = await build.business();

      const made = await app.post('/api/connector/hooks', hook, business.owner);

      assert.deepEqual([made.status, Object.keys(made.body)], [201, ['id']]);
      const webhook = await app.get(`/api/webhooks/${made.body.id}`, business.owner);
      assert.deepEqual([webhook.body.url, webhook.body.events], [hook.targetUrl, ['quote.created']]);

      const ended = await remove(`/api/connector/hooks/${made.body.id}`, business.owner);

      assert.deepEqual([ended.status, ended.body], [200, { ok: true }]);
      assert.equal((await app.get(`/api/webhooks/${made.body.id}`, business.owner)).status, 404);
      assert.deepEqual(
        (await auditOf(business, made.body.id)).map(({ action, entity }) => [action, entity]),
        [
          ['create', 'Webhook'],
          ['delete', 'Webhook'],
        ],
      );
    });
  });
});
