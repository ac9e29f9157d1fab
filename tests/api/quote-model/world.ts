import { assertNever } from '../../../domain/assert-never.ts';
import * as build from '../build.ts';
import { type Credential, type Response, type Service, service } from '../service.ts';
import { auditOf, eventsOf } from '../stored.ts';
import {
  type ModelResponse,
  CLIENTS,
  type Command,
  type QuoteKey,
  TAX_RATES,
  TEMPLATE_LINES,
  type Who,
} from './model.ts';

/** Adapter to the service: three businesses that are created once, and quotes that are new in every run. */

interface Tenant {
  readonly business: build.Business;
  readonly as: Readonly<Record<Who['role'], Credential>>;
  readonly clients: readonly string[];
  readonly labels: readonly string[];
  template: string;
  /** Quote numbers of earlier runs. */
  used: number;
}

/** Identifiers of a quote. */
interface Place {
  readonly id: string;
  /** Its links, oldest first. */
  readonly links: string[];
}

type Body = Response['body'];

export async function makeWorld(): Promise<World> {
  const app = await service();
  const tenants = await Promise.all(TAX_RATES.map((taxRate) => makeTenant(app, taxRate)));
  return new World(app, tenants);
}

async function makeTenant(app: Service, taxRate: string): Promise<Tenant> {
  const business = await build.business({ taxRate });
  const { owner } = business;
  const { as: collaborator } = await build.member(business);
  const labels = await Promise.all(
    ['A', 'B'].map((name) => app.post('/api/labels', { name, color: '#1d5fd1' }, owner)),
  );
  return {
    business,
    as: { owner, collaborator },
    clients: await Promise.all(CLIENTS.map(async () => (await build.client(owner)).id)),
    labels: labels.map(({ body }) => body.id),
    template: '',
    used: 0,
  };
}

export class World {
  readonly #app: Service;
  readonly #tenants: readonly Tenant[];
  readonly #places = new Map<string, Place>();

  constructor(app: Service, tenants: readonly Tenant[]) {
    this.#app = app;
    this.#tenants = tenants;
  }

  /** Forgets the quotes of the previous run and restores clients and template. */
  async begin(): Promise<void> {
    this.#places.clear();
    await Promise.all(
      this.#tenants.map(async (tenant) => {
        const { owner } = tenant.business;
        await Promise.all(tenant.clients.map((id) => this.#app.patch(`/api/clients/${id}`, { isActive: true }, owner)));
        const template = { name: 'Siempre', items: TEMPLATE_LINES.map(asItem) };
        tenant.template = (await this.#app.post('/api/templates', template, owner)).body.id;
        const { body } = await this.#app.get('/api/quotes?limit=1', owner);
        tenant.used = body.data[0]?.quoteNumber ?? 0;
      }),
    );
  }

  /** Executes the command and returns the part of the response that the model predicts. */
  async perform(command: Command): Promise<ModelResponse> {
    switch (command.kind) {
      case 'create': {
        const { by, client, lines } = command;
        const body = { clientId: this.#client(by, client), items: lines.map(asItem) };
        return this.#made(by, await this.#app.post('/api/quotes', body, this.#as(by)));
      }
      case 'createFromTemplate': {
        const { by, client } = command;
        const body = { templateId: this.#tenant(by).template, clientId: this.#client(by, client) };
        return this.#made(by, await this.#app.post('/api/connector/actions/create-from-template', body, this.#as(by)));
      }
      case 'deleteTemplate': {
        const { template } = this.#tenant(command.by);
        return plain(
          await this.#app.request('DELETE', `/api/templates/${template}`, { headers: this.#as(command.by) }),
        );
      }
      case 'setClient': {
        const { by, client, active } = command;
        const path = `/api/clients/${this.#client(by, client)}`;
        if (!active) return plain(await this.#app.request('DELETE', path, { headers: this.#as(by) }));
        const res = await this.#app.patch(path, { isActive: true }, this.#as(by));
        return response(res, ({ isActive }) => ({ isActive }));
      }
      case 'list': {
        const { used } = this.#tenant(command.by);
        const res = await this.#app.get('/api/quotes?limit=100', this.#as(command.by));
        return response(res, ({ data }) =>
          data
            .filter(({ quoteNumber }: Body) => quoteNumber > used)
            .map((quote: Body) => ({
              number: quote.quoteNumber - used,
              status: quote.status,
              version: quote.version,
              labels: this.#labelsOf(command.by, quote),
            })),
        );
      }
      case 'read':
        return this.#read(command.by, await this.#app.get(this.#path(command.quote), this.#as(command.by)));
      case 'duplicate':
        return this.#made(
          command.by,
          await this.#app.post(this.#path(command.quote, '/duplicate'), undefined, this.#as(command.by)),
        );
      case 'rotateLink': {
        const res = await this.#app.post(this.#path(command.quote, '/link/rotate'), undefined, this.#as(command.by));
        return response(res, () => 'a link');
      }
      case 'move': {
        const { by, quote, to } = command;
        return this.#read(by, await this.#app.patch(this.#path(quote, '/status'), { status: to }, this.#as(by)));
      }
      case 'revise': {
        const { by, quote, client, lines } = command;
        const body = { clientId: this.#client(by, client), items: lines.map(asItem) };
        const res = await this.#app.post(this.#path(quote, '/revise'), body, this.#as(by));
        return response(res, (revised) => this.#shown(by, revised));
      }
      case 'setExpiry': {
        const { by, quote, past } = command;
        const expiresAt = new Date(Date.now() + (past ? -1 : 1) * 86_400_000).toISOString();
        return this.#read(by, await this.#app.patch(this.#path(quote), { expiresAt }, this.#as(by)));
      }
      case 'label': {
        const { by, quote, label, put } = command;
        const path = this.#path(quote, `/labels/${this.#tenant(by).labels[label]}`);
        return plain(await this.#app.request(put ? 'POST' : 'DELETE', path, { headers: this.#as(by) }));
      }
      case 'accept': {
        const { quote, link, version } = command;
        const path = `/api/portal/${this.#place(quote).links[link]}/accept`;
        return outcome(await this.#app.post(path, { ...build.SIGNER, version }));
      }
      case 'reject':
        return outcome(
          await this.#app.post(`/api/portal/${this.#place(command.quote).links[command.link]}/reject`, {}),
        );
      case 'lapse': {
        const { business } = this.#tenant(command.quote);
        const expiresAt = new Date(Date.now() - 1_000);
        await build.patchQuote(business, this.#place(command.quote).id, { expiresAt });
        return { status: 0, said: 'time passed' };
      }
      default:
        return assertNever(command);
    }
  }

  /** All state of a quote: the owner's view, its events in order, and its audit entries. */
  async look(quote: QuoteKey) {
    const owner: Who = { tenant: quote.tenant, role: 'owner' };
    const { business } = this.#tenant(quote);
    const { id } = this.#place(quote);
    const [read, events, entries] = await Promise.all([
      this.perform({ kind: 'read', by: owner, quote }),
      eventsOf(business, id),
      auditOf(business, id),
    ]);
    return {
      read: read.said,
      events: events.map(({ type, body: { data } }) =>
        data.previousStatus === undefined ? type : `${type} ${data.previousStatus}>${String(data.quote?.['status'])}`,
      ),
      entries: entries.map(({ action }) => action).toSorted(),
    };
  }

  /** The quotes of this run. */
  quotes(): readonly QuoteKey[] {
    return [...this.#places.keys()].map((name) => {
      const [tenant, number] = name.split(' ').map(Number);
      return { tenant: tenant ?? 0, number: number ?? 0 };
    });
  }

  /** Records the current link. */
  async learnLink(quote: QuoteKey): Promise<void> {
    const { links } = this.#place(quote);
    const { body } = await this.#app.get(this.#path(quote, '/link'), this.#tenant(quote).business.owner);
    if (links.at(-1) !== body.publicToken) links.push(body.publicToken);
  }

  #made(by: Who, res: Response): ModelResponse {
    return response(res, (body) => {
      const number = body.quoteNumber - this.#tenant(by).used;
      this.#places.set(`${by.tenant} ${number}`, { id: body.id, links: [body.publicToken] });
      return this.#shown(by, body);
    });
  }

  #read(by: Who, res: Response): ModelResponse {
    return response(res, (body) => ({ ...this.#shown(by, body), labels: this.#labelsOf(by, body) }));
  }

  #shown(by: Who, { quoteNumber, status, version, total, items, client, isExpired }: Body) {
    const { used, clients } = this.#tenant(by);
    return {
      number: quoteNumber - used,
      status,
      version,
      total: Number(total),
      lines: items.map(({ subtotal }: Body) => Number(subtotal)),
      client: clients.indexOf(client.id),
      lapsed: isExpired,
    };
  }

  #labelsOf(by: Who, { labels }: Body): number[] {
    return labels.map(({ id }: Body) => this.#tenant(by).labels.indexOf(id)).toSorted();
  }

  #tenant({ tenant: index }: { readonly tenant: number }): Tenant {
    const tenant = this.#tenants[index];
    if (!tenant) throw new Error(`no business ${index}`);
    return tenant;
  }

  #place(quote: QuoteKey): Place {
    const place = this.#places.get(`${quote.tenant} ${quote.number}`);
    if (!place) throw new Error(`quote ${quote.number} of ${quote.tenant} was never answered`);
    return place;
  }

  #as(by: Who): Credential {
    return this.#tenant(by).as[by.role];
  }

  #client(by: Who, index: number): string {
    return this.#tenant(by).clients[index] ?? '';
  }

  #path(quote: QuoteKey, below = ''): string {
    return `/api/quotes/${this.#place(quote).id}${below}`;
  }
}

const asItem = ({ unitPrice, quantity, discountPct }: (typeof TEMPLATE_LINES)[number]) => ({
  productName: 'Silla',
  unitPrice: Number(unitPrice),
  quantity,
  discountPct: Number(discountPct),
});

/** The compared members of a body, or the message of a refusal. */
const response = (res: Response, good: (body: Body) => unknown): ModelResponse => ({
  status: res.status,
  said: res.status < 300 ? good(res.body) : res.body?.error,
});
const plain = (res: Response): ModelResponse => response(res, (body) => body);
const outcome = (res: Response): ModelResponse => response(res, ({ status, version }) => ({ status, version }));
