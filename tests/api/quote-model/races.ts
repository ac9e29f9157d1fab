import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import {
  type ModelResponse,
  type Command,
  emptyModel,
  isOf,
  type Line,
  type Model,
  type QuoteKey,
  read,
} from './model.ts';
import { applyAll } from './rules.ts';
import { learnLinks } from './step.ts';
import { bind, intent } from './intents.ts';
import type { World } from './world.ts';

/** Two or three concurrent commands on one quote, after a sequential prelude. */
export interface Race {
  readonly prelude: readonly Command[];
  readonly commands: readonly Command[];
}

const by = { tenant: 0, role: 'owner' } as const;
const quote: QuoteKey = { tenant: 0, number: 1 };
const lines: readonly Line[] = [{ unitPrice: '100', quantity: 2, discountPct: '0' }];
const made: Command = { kind: 'create', by: { tenant: 0, role: 'collaborator' }, client: 0, lines };
const sent: Command = { kind: 'move', by, quote, to: 'SENT' };

const look: Command = { kind: 'read', by, quote };

const PRELUDES: readonly (readonly Command[])[] = [
  [made],
  [made, sent],
  [made, sent],
  [made, sent],
  [made, sent, { kind: 'lapse', quote }],
  [made, sent, { kind: 'revise', by, quote, client: 1, lines: [...lines, ...lines] }],
  [made, sent, { kind: 'label', by, quote, label: 0, put: true }],
  [made, sent, { kind: 'accept', quote, link: 0, version: 1 }],
];

/** Commands that can conflict on a quote. */
const KINDS = [
  'move',
  'revise',
  'duplicate',
  'read',
  'rotateLink',
  'setExpiry',
  'setClient',
  'label',
  'accept',
  'reject',
] as const;

export const race: fc.Arbitrary<Race> = fc
  .tuple(fc.constantFrom(...PRELUDES), fc.array(intent(KINDS), { minLength: 2, maxLength: 3 }))
  .map(([prelude, intents]) => {
    const { model } = applyAll(emptyModel(), prelude);
    const commands = intents.flatMap(
      (one) => bind(model, { ...one, by: { ...one.by, tenant: 0 }, anywhere: false }) ?? [],
    );
    return { prelude, commands };
  });

/** The responses of concurrent commands and the resulting quotes. */
export interface Observed {
  readonly responses: readonly ModelResponse[];
  /** Responses of concurrent reads. */
  readonly concurrentReads: readonly ModelResponse[];
  readonly quotes: readonly (QuoteKey & Awaited<ReturnType<World['look']>>)[];
}

/** Executes a race. Returns the model before it and the observations. */
export async function runRace(
  world: World,
  { prelude, commands }: Race,
): Promise<{ model: Model; observed: Observed }> {
  for (const command of prelude) await world.perform(command);
  const { model } = applyAll(emptyModel(), prelude);
  await learnLinks(world, applyAll(emptyModel(), prelude.slice(0, 1)).model, model);

  const concurrentReads: ModelResponse[] = [];
  let over = false;
  const watch = async () => {
    while (!over) concurrentReads.push(await world.perform(look));
  };
  const watching = Promise.all([watch(), watch()]);
  const responses = await Promise.all(commands.map((command) => world.perform(command)));
  over = true;
  await watching;

  const quotes = await Promise.all(
    world.quotes().map(async ({ tenant, number }) => ({ tenant, number, ...(await world.look({ tenant, number })) })),
  );
  return { model, observed: { responses, concurrentReads, quotes } };
}

/** Whether some sequential order explains all observations. */
export const isLinearizable = (model: Model, commands: readonly Command[], observed: Observed): boolean =>
  ordersOf(commands.map((_, index) => index)).some((order) => {
    const sequence = order.flatMap((index) => commands[index] ?? []);
    const { model: after, responses } = applyAll(model, sequence);
    const looks = [0, ...order.keys()].map(
      (_, done) => applyAll(model, [...sequence.slice(0, done), look]).responses[done],
    );
    return (
      observed.concurrentReads.every((concurrentRead) => looks.some((one) => isDeepStrictEqual(concurrentRead, one))) &&
      order.every((index, at) => isDeepStrictEqual(observed.responses[index], responses[at])) &&
      observed.quotes.length === after.quotes.length &&
      observed.quotes.every((one) => isDeepStrictEqual(one, expected(after, one)))
    );
  });

function expected(model: Model, key: QuoteKey) {
  const found = model.quotes.find(isOf(key));
  if (!found) return undefined;
  const { tenant, number, events, entries } = found;
  return { tenant, number, read: read(model, found), events, entries: entries.toSorted() };
}

/** All permutations of these indexes. */
function ordersOf(indexes: readonly number[]): number[][] {
  if (indexes.length < 2) return [[...indexes]];
  return indexes.flatMap((first) =>
    ordersOf(indexes.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  );
}
