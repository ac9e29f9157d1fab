import type { Command, Line } from './model.ts';
import type { Race } from './races.ts';

/** Regression cases as fast-check printed them; they run first. */

const by = { tenant: 0, role: 'owner' } as const;
const quote = { tenant: 0, number: 1 };
const lines: readonly Line[] = [{ unitPrice: '100', quantity: 2, discountPct: '0' }];
const otherLines: readonly Line[] = [
  { unitPrice: '12345678.905', quantity: 12, discountPct: '0' },
  { unitPrice: '0.005', quantity: 3, discountPct: '12.5' },
];
const made: Command = { kind: 'create', by: { tenant: 0, role: 'collaborator' }, client: 0, lines };

/** None for sequential actions so far. */
export const FOUND: readonly (readonly Command[])[] = [];

export const RACES: readonly Race[] = [
  // A reader got the amounts of version 1 with the lines of version 2.
  {
    prelude: [made],
    commands: [
      { kind: 'move', by, quote, to: 'SENT' },
      { kind: 'revise', by, quote, client: 0, lines: otherLines },
    ],
  },
];
