import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ServiceError } from '../../domain/errors.ts';
import { countingUnder, type SelectableLine, selectedIdsOf, withPreset } from '../../domain/quote-selection.ts';

const line = (id: string, more: Partial<SelectableLine> = {}): SelectableLine => ({
  id,
  optional: false,
  choice: null,
  counts: true,
  ...more,
});

/** One fixed line, two optional ones of which the first is preset, and a group whose first line is preset. */
const LINES = [
  line('fixed'),
  line('lamp', { optional: true }),
  line('rug', { optional: true, counts: false }),
  line('oak', { choice: 'Acabado' }),
  line('pine', { choice: 'Acabado', counts: false }),
];

const counted = (ids: readonly string[]) =>
  countingUnder(LINES, ids).flatMap((counts, index) => (counts ? [LINES[index]?.id] : []));

function refusal(lines: readonly SelectableLine[], ids: readonly string[]): unknown {
  try {
    return countingUnder(lines, ids);
  } catch (error) {
    return error instanceof ServiceError && error.details;
  }
}

describe('Selection of a client', () => {
  for (const [ids, expected] of [
    [[], ['fixed', 'oak']],
    [['rug'], ['fixed', 'rug', 'oak']],
    [
      ['lamp', 'rug'],
      ['fixed', 'lamp', 'rug', 'oak'],
    ],
    [['pine'], ['fixed', 'pine']],
    [
      ['oak', 'lamp'],
      ['fixed', 'lamp', 'oak'],
    ],
  ] as const) {
    it(`of [${ids.join(', ')}] lets ${expected.join(', ')} count`, () => {
      assert.deepEqual(counted(ids), expected);
    });
  }

  for (const [what, ids, path, message] of [
    ['a repeated id', ['lamp', 'lamp'], 'selectedItemIds.1', 'está repetido'],
    ['a line of another quote', ['foreign'], 'selectedItemIds.0', 'no es una partida de esta cotización'],
    ['a fixed line', ['lamp', 'fixed'], 'selectedItemIds.1', 'es una partida fija'],
    ['two of a group', ['oak', 'pine'], 'selectedItemIds.1', 'la alternativa «Acabado» ya tiene otra partida elegida'],
  ] as const) {
    it(`with ${what} is refused: «${path}: ${message}»`, () => {
      assert.deepEqual(refusal(LINES, ids), [{ path, message }]);
    });
  }

  it('without a line that counts is refused: «selectedItemIds: al menos una partida debe contar»', () => {
    const lines = [line('lamp', { optional: true }), line('rug', { optional: true, counts: false })];

    assert.deepEqual(refusal(lines, []), [{ path: 'selectedItemIds', message: 'al menos una partida debe contar' }]);
  });

  it('of the preset itself changes nothing, and what counts is a preset that gives the same again', () => {
    const lines = fc
      .array(fc.tuple(fc.constantFrom('fixed', 'optional', 'A', 'B'), fc.boolean()), { maxLength: 10 })
      .map((kinds) => [line('first'), ...kinds.map(([kind, counts], index) => lineOf(`${index}`, kind, counts))]);
    fc.assert(
      fc.property(lines, fc.infiniteStream(fc.boolean()), (given, random) => {
        const preset = withPreset(given, firstOfGroups(given));
        const named = preset.filter(({ optional }) => optional && random.next().value).map(({ id }) => id);

        const again = withPreset(preset, selectedIdsOf(selected(preset, named)));

        assert.deepEqual(countingUnder(preset, selectedIdsOf(preset)), preset.map(({ counts }) => counts)); // prettier-ignore
        assert.deepEqual(again, selected(preset, named));
      }),
    );
  });
});

const lineOf = (id: string, kind: string, counts: boolean): SelectableLine =>
  kind === 'fixed'
    ? line(id)
    : line(id, { counts, optional: kind === 'optional', choice: kind === 'optional' ? null : kind });

/** The preset optional lines, and the first line of each group. */
const firstOfGroups = (lines: readonly SelectableLine[]): readonly string[] =>
  lines
    .filter(({ choice, counts }, index) =>
      choice === null ? counts : lines.findIndex((other) => other.choice === choice) === index,
    )
    .map(({ id }) => id);

const selected = (lines: readonly SelectableLine[], ids: readonly string[]): readonly SelectableLine[] => {
  const counting = countingUnder(lines, ids);
  return lines.map((each, index) => ({ ...each, counts: counting[index] ?? false }));
};
