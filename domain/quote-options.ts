import type { Detail } from './errors.ts';

/** Optional lines and alternatives, of which only some count. */

/** How a line may be chosen. A line with neither member is fixed and always counts. */
export interface LineChoice {
  readonly optional?: boolean | undefined;
  /** The group of which exactly one line counts. */
  readonly choice?: string | null | undefined;
  readonly selected?: boolean | undefined;
}

/** What is wrong with the choices of the lines. */
export function choiceProblems(lines: readonly LineChoice[]): readonly Detail[] {
  const selectedIn = new Set<string>();
  const problems = lines.flatMap(({ optional, choice, selected }, index) => {
    if (!choice) return [];
    if (optional) return [{ path: `items.${index}.choice`, message: 'no puede enviarse junto con optional' }];
    if (!selected) return [];
    const isSecond = selectedIn.has(choice);
    selectedIn.add(choice);
    return isSecond
      ? [{ path: `items.${index}.selected`, message: `la alternativa «${choice}» ya tiene otra partida elegida` }]
      : [];
  });
  if (problems.length > 0) return problems;
  return countingLines(lines).includes(true) ? [] : [{ path: 'items', message: 'al menos una partida debe contar' }];
}

/** For each line whether it counts. Of a group without a selected line the first one counts. */
export function countingLines(lines: readonly LineChoice[]): readonly boolean[] {
  const chosen = new Map<string, number>();
  for (const [index, { choice, selected }] of lines.entries()) {
    if (!choice) continue;
    if (selected || !chosen.has(choice)) chosen.set(choice, index);
  }
  return lines.map(({ optional, choice, selected }, index) =>
    choice ? chosen.get(choice) === index : optional ? selected === true : true,
  );
}

/**
 * The selection with the highest sum of `worth`, as the lines that count: optional lines that are worth something, and
 * the most valuable line of each group.
 */
export function dearestSelection(lines: readonly LineChoice[], worth: readonly number[]): readonly boolean[] {
  const best = new Map<string, number>();
  for (const [index, { choice }] of lines.entries()) {
    if (!choice) continue;
    const before = best.get(choice);
    if (before === undefined || (worth[index] ?? 0) > (worth[before] ?? 0)) best.set(choice, index);
  }
  return lines.map(({ optional, choice }, index) =>
    choice ? best.get(choice) === index : optional ? (worth[index] ?? 0) > 0 : true,
  );
}

/** Whether an optional line or an alternative is chosen; false for fixed lines. */
export const isSelected = ({
  optional,
  choice,
  counts,
}: {
  readonly optional: boolean;
  readonly choice: string | null;
  readonly counts: boolean;
}): boolean => counts && (optional || choice !== null);
