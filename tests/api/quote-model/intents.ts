import * as fc from 'fast-check';
import { assertNever } from '../../../domain/assert-never.ts';
import { CLIENTS, type Command, type Line, type Model, type ModelQuote, type Status, type Who } from './model.ts';

/** An abstract action, generated before the existing quotes are known. */
export interface Intent {
  readonly kind: Command['kind'];
  readonly by: Who;
  /** Index of the quote, modulo the number of existing ones. */
  readonly pick: number;
  /** Whether it may be a quote of another business. */
  readonly anywhere: boolean;
  readonly client: number;
  readonly lines: readonly Line[];
  readonly to: Status;
  readonly label: number;
  /** Selects the rarer variant: off, inactive, past, an old link or version. */
  readonly odd: boolean;
}

/** Weights; the lifecycle of a quote is most frequent. */
const WEIGHTS: Readonly<Record<Command['kind'], number>> = {
  create: 8,
  createFromTemplate: 2,
  deleteTemplate: 1,
  setClient: 2,
  list: 1,
  read: 2,
  duplicate: 3,
  rotateLink: 2,
  move: 10,
  revise: 7,
  setExpiry: 3,
  label: 4,
  accept: 4,
  reject: 3,
  lapse: 2,
};

const decimals = (most: number, places: number): fc.Arbitrary<string> =>
  fc.nat(most * 10 ** places).map((units) => (units / 10 ** places).toFixed(places));

const line: fc.Arbitrary<Line> = fc.record({
  unitPrice: fc.oneof(decimals(1_000, 2), fc.constant('0.005'), fc.constant('12345678.905')),
  quantity: fc.integer({ min: 1, max: 20 }),
  discountPct: fc.constantFrom('0', '10', '12.5', '100'),
});

const rare = fc.nat(5).map((n) => n === 5);

/** An abstract action of one of these kinds. */
export const intent = (kinds = Object.keys(WEIGHTS) as readonly Command['kind'][]): fc.Arbitrary<Intent> =>
  fc.record({
    kind: fc.oneof(...kinds.map((kind) => ({ weight: WEIGHTS[kind], arbitrary: fc.constant(kind) }))),
    by: fc.record({
      tenant: fc.nat(2),
      role: fc.nat(2).map((n) => (n === 2 ? ('collaborator' as const) : ('owner' as const))),
    }),
    pick: fc.nat(),
    anywhere: rare,
    client: fc.constantFrom(...CLIENTS),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    to: fc.constantFrom('SENT', 'SENT', 'SENT', 'WON', 'LOST', 'GENERATED', 'ACCEPTED', 'REJECTED'),
    label: fc.nat(1),
    odd: fc.nat(3).map((n) => n === 3),
  });

/** The concrete command for the current state; undefined without a matching quote. */
export function bind(
  model: Model,
  { kind, by, pick, anywhere, client, lines, to, label, odd }: Intent,
): Command | undefined {
  switch (kind) {
    case 'create':
      return { kind, by, client, lines };
    case 'createFromTemplate':
      return { kind, by, client };
    case 'deleteTemplate':
    case 'list':
      return { kind, by };
    case 'setClient':
      return { kind, by, client, active: !odd };
    default:
  }
  const quotes = model.quotes.filter(({ tenant }) => anywhere || tenant === by.tenant);
  const found = quotes[pick % Math.max(1, quotes.length)];
  if (!found) return undefined;
  const quote = { tenant: found.tenant, number: found.number };
  switch (kind) {
    case 'read':
    case 'duplicate':
    case 'rotateLink':
      return { kind, by, quote };
    case 'move':
      return { kind, by, quote, to };
    case 'revise':
      return { kind, by, quote, client, lines };
    case 'setExpiry':
      return { kind, by, quote, past: odd };
    case 'label':
      return { kind, by, quote, label, put: !odd };
    case 'accept':
      return { kind, quote, link: linkOf(found, odd), version: odd ? found.version + 1 : found.version };
    case 'reject':
      return { kind, quote, link: linkOf(found, odd) };
    case 'lapse':
      return { kind, quote };
    default:
      return assertNever(kind);
  }
}

const linkOf = ({ link }: ModelQuote, old: boolean): number => (old ? Math.max(0, link - 1) : link);
