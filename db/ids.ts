const BASE36 = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The largest multiple of 36 that a byte can hold: greater bytes are skipped, or some characters would be more frequent. */
const UNBIASED = 252;

/** Random bytes, drawn in batches: an id takes two dozen of them, and each draw is a system call. */
const drawn = new Uint8Array(4_096);
let used = drawn.length;
function drawByte(): number {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  const byte = drawn[used] ?? UNBIASED;
  used += 1;
  return byte < UNBIASED ? byte : drawByte();
}

/**
 * A new id: "c" and 24 random characters (124 bits), which both generations of the CUID pattern accept. CUIDs are hashed
 * besides, which protects weak sources of random numbers; ours is the cryptographic one.
 */
export function newId(): string {
  let id = 'c';
  for (let place = 0; place < 24; place++) id += BASE36[drawByte() % 36];
  return id;
}

/** Whether a text has the form of an id. Ids that do not are never looked up. */
export const isId = (text: string): boolean => /^c[a-z0-9]{24}$/.test(text);

/** `t-` and 8 random base36 characters: the tenant's part of workflow ids, never changed: it names executions that are open. */
export const newSlug = (): string =>
  `t-${Array.from(crypto.getRandomValues(new Uint32Array(8)), (n) => BASE36[n % 36]).join('')}`;
