import { type Detail, selectionNotAllowed } from './errors.ts';
import { isSelected } from './quote-options.ts';

/** What a client selects of the optional lines and alternatives that a seller offers. */

/** A line with the seller's preset. */
export interface SelectableLine {
  readonly id: string;
  readonly optional: boolean;
  readonly choice: string | null;
  /** Whether the line counts unless the client selects otherwise. */
  readonly counts: boolean;
}

const isOption = ({ optional, choice }: Pick<SelectableLine, 'optional' | 'choice'>): boolean =>
  optional || choice !== null;

/** Whether a client can select anything. */
export const hasOptions = (lines: readonly SelectableLine[]): boolean => lines.some(isOption);

/** The ids of the optional lines and alternatives that count. */
export const selectedIdsOf = (lines: readonly SelectableLine[]): readonly string[] =>
  lines.filter(isSelected).map(({ id }) => id);

/** The lines with another preset: the optional lines and alternatives with these ids count. */
export const withPreset = (lines: readonly SelectableLine[], ids: readonly string[]): readonly SelectableLine[] =>
  lines.map(({ id, optional, choice }) => ({
    id,
    optional,
    choice,
    counts: !isOption({ optional, choice }) || ids.includes(id),
  }));

/**
 * For each line whether it counts under a selection: optional lines only if they are named; of a group of alternatives
 * the named line, else that of the preset. Throws a 400 for ids that are repeated, of fixed lines or of no line of the
 * quote, for two lines of a group, and if no line counts.
 */
export function countingUnder(lines: readonly SelectableLine[], ids: readonly string[]): readonly boolean[] {
  const problems = selectionProblems(lines, ids);
  if (problems.length > 0) throw selectionNotAllowed(problems);
  const named = new Set(ids);
  const groups = new Set(lines.flatMap(({ id, choice }) => (choice !== null && named.has(id) ? [choice] : [])));
  const counting = lines.map(({ id, optional, choice, counts }) => {
    if (choice !== null) return groups.has(choice) ? named.has(id) : counts;
    return optional ? named.has(id) : true;
  });
  if (!counting.includes(true))
    throw selectionNotAllowed([{ path: 'selectedItemIds', message: 'al menos una partida debe contar' }]);
  return counting;
}

function selectionProblems(lines: readonly SelectableLine[], ids: readonly string[]): readonly Detail[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const seen = new Set<string>();
  const groups = new Set<string>();
  return ids.flatMap((id, index) => {
    const problem = problemOf(byId.get(id), { isRepeated: seen.has(id), groups });
    seen.add(id);
    return problem === undefined ? [] : [{ path: `selectedItemIds.${index}`, message: problem }];
  });
}

/** @param groups the groups of which a line was named before; that of this line is added */
function problemOf(
  line: SelectableLine | undefined,
  { isRepeated, groups }: { readonly isRepeated: boolean; readonly groups: Set<string> },
): string | undefined {
  if (isRepeated) return 'está repetido';
  if (!line) return 'no es una partida de esta cotización';
  if (!isOption(line)) return 'es una partida fija';
  if (line.choice === null) return undefined;
  if (groups.has(line.choice)) return `la alternativa «${line.choice}» ya tiene otra partida elegida`;
  groups.add(line.choice);
  return undefined;
}

/** Whether the same lines count. */
export const isSameSelection = (a: readonly boolean[], b: readonly boolean[]): boolean =>
  a.every((counts, index) => counts === b[index]);
