import {
  type ModelResponse,
  type Command,
  isOf,
  type Model,
  type ModelQuote,
  read,
  shown,
  type Status,
  TEMPLATE_LINES,
  type Who,
} from './model.ts';

/** The response to a command and the model after it. */
export interface Outcome {
  readonly model: Model;
  readonly response: ModelResponse;
}

type Of<K extends Command['kind']> = Extract<Command, { kind: K }>;
type Rules = { readonly [K in Command['kind']]: (model: Model, command: Of<K>) => Outcome };

export function apply(model: Model, command: Command): Outcome {
  // The table maps each kind to the rule of that kind.
  const rule = RULES[command.kind] as (model: Model, command: Command) => Outcome;
  return rule(model, command);
}

/** The model after all commands, and their responses. */
export function applyAll(
  model: Model,
  commands: readonly Command[],
): { model: Model; responses: readonly ModelResponse[] } {
  let now = model;
  const responses = commands.map((command) => {
    const { model: after, response } = apply(now, command);
    now = after;
    return response;
  });
  return { model: now, responses };
}

const noQuote = { status: 404, said: 'Cotización no encontrada' };
const noClient = { status: 404, said: 'Cliente no encontrado' };
const noTemplate = { status: 404, said: 'Plantilla no encontrada' };
const forbidden = { status: 403, said: 'Sin permisos' };
const answered = { status: 409, said: 'La cotización ya fue respondida' };
const lapsed = { status: 410, said: 'La cotización venció' };
const ok = { status: 200, said: { ok: true } };
const illegal = (from: Status, to: Status) => ({ status: 400, said: `No se puede cambiar de ${from} a ${to}` });

const FINAL: readonly Status[] = ['WON', 'LOST', 'ACCEPTED', 'REJECTED'];
const MEMBERS_MOVES = ['GENERATED>SENT', 'SENT>WON', 'SENT>LOST'];

/** The quote if it is visible to the caller: owners see all of their business, collaborators their own. */
const visible = (model: Model, command: { by: Who; quote: { tenant: number; number: number } }) =>
  model.quotes.find(
    (quote) =>
      isOf(command.quote)(quote) &&
      quote.tenant === command.by.tenant &&
      (command.by.role === 'owner' || quote.creator === 'collaborator'),
  );

function add(model: Model, { by, client, lines, as }: Of<'create'> & { readonly as: string }): Outcome {
  const tenant = model.tenants[by.tenant];
  if (!tenant?.activeClients[client]) return { model, response: noClient };
  const quote: ModelQuote = {
    tenant: by.tenant,
    number: tenant.quotes + 1,
    creator: by.role,
    status: 'GENERATED',
    version: 1,
    lines,
    client,
    lapsed: false,
    labels: [],
    link: 0,
    events: ['quote.created'],
    entries: [as],
  };
  const after = {
    tenants: model.tenants.with(by.tenant, { ...tenant, quotes: quote.number }),
    quotes: [...model.quotes, quote],
  };
  return { model: after, response: { status: 201, said: shown(after, quote) } };
}

/** Changes one quote; the response shows the changed quote. */
function change(
  model: Model,
  before: ModelQuote,
  { event, entry, ...changes }: Partial<ModelQuote> & { event?: string | readonly string[]; entry?: string },
  response: (after: Model, quote: ModelQuote) => ModelResponse,
): Outcome {
  const quote: ModelQuote = {
    ...before,
    ...changes,
    events: [...before.events, ...[event ?? []].flat()],
    entries: entry ? [...before.entries, entry] : before.entries,
  };
  const after = { ...model, quotes: model.quotes.map((other) => (isOf(before)(other) ? quote : other)) };
  return { model: after, response: response(after, quote) };
}

const bodyRead = (model: Model, quote: ModelQuote): ModelResponse => ({ status: 200, said: read(model, quote) });
const moveTo = (quote: ModelQuote, to: Status) => ({
  status: to,
  event: `quote.status_changed ${quote.status}>${to}`,
  entry: 'status_change',
});

/** A decision of the client, which has an event of its own too. */
const answerWith = (quote: ModelQuote, to: 'ACCEPTED' | 'REJECTED') => {
  const { event, ...moved } = moveTo(quote, to);
  return { ...moved, event: [event, `quote.${to.toLowerCase()}`] };
};

const RULES: Rules = {
  create: (model, command) => add(model, { ...command, as: 'create' }),

  createFromTemplate(model, { by, client }) {
    if (!model.tenants[by.tenant]?.hasTemplate) return { model, response: noTemplate };
    return add(model, { kind: 'create', by, client, lines: TEMPLATE_LINES, as: 'create' });
  },

  deleteTemplate(model, { by }) {
    const tenant = model.tenants[by.tenant];
    if (by.role !== 'owner' || !tenant) return { model, response: forbidden };
    const tenants = model.tenants.with(by.tenant, { ...tenant, hasTemplate: false });
    return { model: { ...model, tenants }, response: ok };
  },

  setClient(model, { by, client, active }) {
    const tenant = model.tenants[by.tenant];
    if (by.role !== 'owner' || !tenant) return { model, response: forbidden };
    const activeClients = tenant.activeClients.with(client, active);
    const tenants = model.tenants.with(by.tenant, { ...tenant, activeClients });
    return {
      model: { ...model, tenants },
      response: { status: 200, said: active ? { isActive: true } : { ok: true } },
    };
  },

  list(model, { by }) {
    const quotes = model.quotes.filter((quote) => visible(model, { by, quote })).toReversed();
    const said = quotes.map(({ number, status, version, labels }) => ({ number, status, version, labels }));
    return { model, response: { status: 200, said: said.toSorted((a, b) => b.number - a.number) } };
  },

  read(model, command) {
    const quote = visible(model, command);
    return { model, response: quote ? bodyRead(model, quote) : noQuote };
  },

  duplicate(model, command) {
    const source = visible(model, command);
    if (!source) return { model, response: noQuote };
    const { client, lines } = source;
    return add(model, { kind: 'create', by: command.by, client, lines, as: 'duplicate' });
  },

  rotateLink(model, command) {
    const quote = visible(model, command);
    if (!quote) return { model, response: noQuote };
    return change(model, quote, { link: quote.link + 1, entry: 'rotate' }, () => ({ status: 200, said: 'a link' }));
  },

  move(model, command) {
    const { by, to } = command;
    if (by.role !== 'owner') return { model, response: forbidden };
    const quote = visible(model, command);
    if (!quote) return { model, response: noQuote };
    if (!MEMBERS_MOVES.includes(`${quote.status}>${to}`)) return { model, response: illegal(quote.status, to) };
    return change(model, quote, moveTo(quote, to), bodyRead);
  },

  revise(model, command) {
    const { by, client, lines } = command;
    const quote = visible(model, command);
    if (!quote) return { model, response: noQuote };
    // The current client is allowed even if it was deactivated.
    if (client !== quote.client && !model.tenants[by.tenant]?.activeClients[client])
      return { model, response: noClient };
    if (FINAL.includes(quote.status)) return { model, response: illegal(quote.status, 'GENERATED') };
    const link = client === quote.client ? quote.link : quote.link + 1;
    const revised = { version: quote.version + 1, client, lines, link, entry: 'quote.revised' };
    const event = ['quote.revised', 'quote.version_created'];
    return change(model, quote, { ...revised, event }, (after, now) => ({ status: 200, said: shown(after, now) }));
  },

  setExpiry(model, command) {
    if (command.past) return { model, response: { status: 400, said: 'expiresAt: debe estar en el futuro' } };
    const quote = visible(model, command);
    if (!quote) return { model, response: noQuote };
    if (FINAL.includes(quote.status)) return { model, response: illegal(quote.status, 'GENERATED') };
    return change(model, quote, { lapsed: false, event: 'quote.revised', entry: 'update' }, bodyRead);
  },

  label(model, command) {
    const { label, put } = command;
    const quote = visible(model, command);
    if (!quote) return { model, response: noQuote };
    if (quote.labels.includes(label) === put) return { model, response: ok };
    const labels = put
      ? [...quote.labels, label].toSorted((a, b) => a - b)
      : quote.labels.filter((other) => other !== label);
    return change(model, quote, { labels, entry: 'update' }, () => ok);
  },

  accept(model, { quote: key, link, version }) {
    const quote = model.quotes.find(isOf(key));
    if (!quote || quote.link !== link || quote.status === 'GENERATED') return { model, response: noQuote };
    const yes = { status: 200, said: { status: 'ACCEPTED', version: quote.version } };
    if (quote.status === 'ACCEPTED' && quote.version === version) return { model, response: yes };
    if (quote.status !== 'SENT') return { model, response: answered };
    if (quote.version !== version)
      return { model, response: { status: 409, said: 'La versión de la cotización cambió' } };
    if (quote.lapsed) return { model, response: lapsed };
    return change(model, quote, answerWith(quote, 'ACCEPTED'), () => yes);
  },

  reject(model, { quote: key, link }) {
    const quote = model.quotes.find(isOf(key));
    if (!quote || quote.link !== link || quote.status === 'GENERATED') return { model, response: noQuote };
    const no = { status: 200, said: { status: 'REJECTED', version: quote.version } };
    if (quote.status === 'REJECTED') return { model, response: no };
    if (quote.status !== 'SENT') return { model, response: answered };
    if (quote.lapsed) return { model, response: lapsed };
    return change(model, quote, answerWith(quote, 'REJECTED'), () => no);
  },

  lapse(model, { quote: key }) {
    const quote = model.quotes.find(isOf(key));
    const response = { status: 0, said: 'time passed' };
    return quote ? change(model, quote, { lapsed: true }, () => response) : { model, response };
  },
};
