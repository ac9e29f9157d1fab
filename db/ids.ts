import { init } from '@paralleldrive/cuid2';

/** Random numbers of 32 bits, drawn in batches: an id takes dozens of them, and each draw is a system call. */
const drawn = new Uint32Array(1_024);
let used = drawn.length;
function drawNumber(): number {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  const bits = drawn[used] ?? 0;
  used += 1;
  return bits / 2 ** 32;
}

const random = init({ length: 24, random: drawNumber });

/** A new id: "c" and 24 characters, which both generations of the CUID pattern accept. */
export const newId = (): string => `c${random()}`;

/** Whether a text has the form of an id. Ids that do not are never looked up. */
export const isId = (text: string): boolean => /^c[a-z0-9]{24}$/.test(text);

const BASE36 = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `t-` and 8 random base36 characters: the tenant's part of workflow ids, never changed: it names executions that are open. */
export const newSlug = (): string =>
  `t-${Array.from(crypto.getRandomValues(new Uint32Array(8)), (n) => BASE36[n % 36]).join('')}`;
