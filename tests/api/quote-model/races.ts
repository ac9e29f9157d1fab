import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { type Answer, type Command, emptyModel, isOf, type Line, type Model, type QuoteKey, read } from './model.ts';
import { applyAll } from './rules.ts';
import { learnLinks } from './step.ts';
import { bind, wish } from './wishes.ts';
import type { World } from './world.ts';

/** Two or three commands about one quote, begun at the same time after a prelude that went one by one. */
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

/** What can be at odds about a quote. */
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
  .tuple(fc.constantFrom(...PRELUDES), fc.array(wish(KINDS), { minLength: 2, maxLength: 3 }))
  .map(([prelude, wishes]) => {
    const { model } = applyAll(emptyModel(), prelude);
    const commands = wishes.flatMap(
      (one) => bind(model, { ...one, by: { ...one.by, tenant: 0 }, anywhere: false }) ?? [],
    );
    return { prelude, commands };
  });

/** What the commands of a race answered, and how each quote was afterwards. */
export interface Seen {
  readonly answers: readonly Answer[];
  /** What whoever kept reading the quote meanwhile was shown. */
  readonly glimpses: readonly Answer[];
  readonly quotes: readonly (QuoteKey & Awaited<ReturnType<World['look']>>)[];
}

/** Carries a race out. Returns the model at its start beside what was seen. */
export async function carryOut(world: World, { prelude, commands }: Race): Promise<{ model: Model; seen: Seen }> {
  for (const command of prelude) await world.perform(command);
  const { model } = applyAll(emptyModel(), prelude);
  await learnLinks(world, applyAll(emptyModel(), prelude.slice(0, 1)).model, model);

  const glimpses: Answer[] = [];
  let over = false;
  const watch = async () => {
    while (!over) glimpses.push(await world.perform(look));
  };
  const watching = Promise.all([watch(), watch()]);
  const answers = await Promise.all(commands.map((command) => world.perform(command)));
  over = true;
  await watching;

  const quotes = await Promise.all(
    world.quotes().map(async ({ tenant, number }) => ({ tenant, number, ...(await world.look({ tenant, number })) })),
  );
  return { model, seen: { answers, glimpses, quotes } };
}

/** Whether all that was seen is what one after the other would have done, in some order. */
export const hasSomeOrder = (model: Model, commands: readonly Command[], seen: Seen): boolean =>
  ordersOf(commands.map((_, index) => index)).some((order) => {
    const inTurn = order.flatMap((index) => commands[index] ?? []);
    const { model: after, answers } = applyAll(model, inTurn);
    const looks = [0, ...order.keys()].map(
      (_, done) => applyAll(model, [...inTurn.slice(0, done), look]).answers[done],
    );
    return (
      seen.glimpses.every((glimpse) => looks.some((one) => isDeepStrictEqual(glimpse, one))) &&
      order.every((index, at) => isDeepStrictEqual(seen.answers[index], answers[at])) &&
      seen.quotes.length === after.quotes.length &&
      seen.quotes.every((one) => isDeepStrictEqual(one, expected(after, one)))
    );
  });

function expected(model: Model, key: QuoteKey) {
  const found = model.quotes.find(isOf(key));
  if (!found) return undefined;
  const { tenant, number, events, entries } = found;
  return { tenant, number, read: read(model, found), events, entries: entries.toSorted() };
}

/** All orders of these indexes. */
function ordersOf(indexes: readonly number[]): number[][] {
  if (indexes.length < 2) return [[...indexes]];
  return indexes.flatMap((first) =>
    ordersOf(indexes.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  );
}
