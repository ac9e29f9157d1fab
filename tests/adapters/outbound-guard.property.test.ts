import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isPermitted } from '../../adapters/outbound-http/addresses.ts';

/**
 * A second implementation that shares nothing with the guard: addresses are whole numbers, ranges are a first and a
 * last one, and texts are written here and never parsed.
 */

const v4 = (a: number, b: number, c = 0, d = 0): bigint => BigInt(((a * 256 + b) * 256 + c) * 256 + d);

const BLOCKED_V4: readonly (readonly [bigint, bigint])[] = [
  [v4(0, 0), v4(0, 255, 255, 255)], [v4(10, 0), v4(10, 255, 255, 255)], [v4(100, 64), v4(100, 127, 255, 255)],
  [v4(127, 0), v4(127, 255, 255, 255)], [v4(169, 254), v4(169, 254, 255, 255)], [v4(172, 16), v4(172, 31, 255, 255)],
  [v4(192, 0), v4(192, 0, 0, 255)], [v4(192, 0, 2), v4(192, 0, 2, 255)], [v4(192, 88, 99), v4(192, 88, 99, 255)],
  [v4(192, 168), v4(192, 168, 255, 255)], [v4(198, 18), v4(198, 19, 255, 255)],
  [v4(198, 51, 100), v4(198, 51, 100, 255)], [v4(203, 0, 113), v4(203, 0, 113, 255)],
  [v4(224, 0), v4(255, 255, 255, 255)], [v4(168, 63, 129, 16), v4(168, 63, 129, 16)],
]; // prettier-ignore

const top = (first16s: readonly bigint[], bits: number): readonly [bigint, bigint] => {
  const first = first16s.reduce((sum, group, i) => sum | (group << BigInt(112 - 16 * i)), 0n);
  return [first, first | ((1n << BigInt(128 - bits)) - 1n)];
};

const BLOCKED_V6: readonly (readonly [bigint, bigint])[] = [
  top([], 96), top([0n, 0n, 0n, 0n, 0xffffn, 0n], 96), top([0x64n, 0xff9bn], 96), top([0x64n, 0xff9bn, 1n], 48),
  top([0x100n], 64), top([0x100n, 0n, 0n, 1n], 64), top([0x2001n], 23), top([0x2001n, 0xdb8n], 32),
  top([0x2002n], 16), top([0x3fffn], 20), top([0x5f00n], 16), top([0xfc00n], 7), top([0xfe80n], 10),
  top([0xfec0n], 10), top([0xff00n], 8),
]; // prettier-ignore

const MAPPED = top([0n, 0n, 0n, 0n, 0n, 0xffffn], 96);

const lies = (address: bigint, ranges: readonly (readonly [bigint, bigint])[]): boolean =>
  ranges.some(([first, last]) => first <= address && address <= last);

const judgeV4 = (address: bigint): boolean => !lies(address, BLOCKED_V4);
const judgeV6 = (address: bigint): boolean =>
  lies(address, [MAPPED]) ? judgeV4(address & 0xffff_ffffn) : !lies(address, BLOCKED_V6);

const dotted = (address: bigint): string => [24n, 16n, 8n, 0n].map((by) => (address >> by) & 0xffn).join('.');
const groups = (address: bigint): string[] =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((by) => ((address >> by) & 0xffffn).toString(16));

/** Each of the notations that RFC 4291 allows for an address. */
const writings = (address: bigint): string[] => {
  const plain = groups(address);
  const shortened = plain.join(':').replace(/(^|:)0(:0)+(:|$)/, '::');
  return [
    plain.join(':'),
    plain.map((group) => group.padStart(4, '0')).join(':'),
    shortened,
    shortened.toUpperCase(),
    `${plain.slice(0, 6).join(':')}:${dotted(address & 0xffff_ffffn)}`,
  ];
};

/** Anywhere, and as often at the edges of a range, just outside them and within. */
const addresses = (bits: bigint, ranges: readonly (readonly [bigint, bigint])[]) => {
  const last = (1n << bits) - 1n;
  const edges = ranges.flatMap(([from, to]) => [from - 1n, from, from + 1n, to - 1n, to, to + 1n]);
  return fc.oneof(
    fc.bigInt({ min: 0n, max: last }),
    fc.constantFrom(...edges.filter((edge) => edge >= 0n && edge <= last)),
    fc.constantFrom(...ranges).chain(([min, max]) => fc.bigInt({ min, max })),
  );
};

describe('outbound guard and a second implementation', () => {
  it('agree on any IPv4 address', () => {
    fc.assert(
      fc.property(addresses(32n, BLOCKED_V4), (address) => isPermitted(dotted(address)) === judgeV4(address)),
      { numRuns: 5_000 },
    );
  });

  it('agree on any IPv6 address in any notation', () => {
    const inMapped = addresses(32n, BLOCKED_V4).map((address) => MAPPED[0] | address);
    fc.assert(
      fc.property(fc.oneof(addresses(128n, [...BLOCKED_V6, MAPPED]), inMapped), (address) => {
        const verdicts = writings(address).map((text) => isPermitted(text));
        return verdicts.every((verdict) => verdict === judgeV6(address));
      }),
      { numRuns: 5_000 },
    );
  });

  it('agree at every edge of every range', () => {
    const edges = (ranges: readonly (readonly [bigint, bigint])[], last: bigint) =>
      ranges.flatMap(([from, to]) => [from - 1n, from, to, to + 1n]).filter((edge) => edge >= 0n && edge <= last);

    const wrong = [
      ...edges(BLOCKED_V4, 0xffff_ffffn)
        .filter((edge) => isPermitted(dotted(edge)) !== judgeV4(edge))
        .map(dotted),
      ...edges(BLOCKED_V6, (1n << 128n) - 1n)
        .filter((edge) => isPermitted(groups(edge).join(':')) !== judgeV6(edge))
        .map((edge) => groups(edge).join(':')),
    ];

    assert.deepEqual(wrong, []);
  });

  it('both permit some addresses and block some', () => {
    assert.deepEqual([judgeV4(v4(8, 8, 8, 8)), judgeV4(v4(10, 0, 0, 1))], [true, false]);
    assert.deepEqual([judgeV6(top([0x2606n, 0x4700n], 32)[0]), judgeV6(1n)], [true, false]);
  });
});
