import {
  ApplicationFailure,
  continueAsNew,
  isCancellation,
  log,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Chore } from '../domain/housekeeping.ts';
import { choreActivities } from './policies.ts';

export interface HousekeepingInput {
  /** What to do, in order. It comes with the schedule, so that a new chore needs no other workflow code. */
  readonly chores: readonly Chore[];
  /** Carried over continue-as-new: where the first chore goes on, and what came of the others. */
  readonly after?: string;
  readonly result?: HousekeepingResult;
}

/** How many rows, files or entries each chore dealt with, and which chores could not be done. */
export interface HousekeepingResult {
  readonly done: Readonly<Record<string, number>>;
  readonly failed: readonly string[];
}

/** Does the chores of a schedule, one after the other. One that cannot be done holds up no other; then the run fails. */
export async function housekeeping(input: HousekeepingInput): Promise<HousekeepingResult> {
  const done: Record<string, number> = { ...input.result?.done };
  const failed = [...(input.result?.failed ?? [])];
  let { after } = input;

  for (const [place, chore] of input.chores.entries()) {
    done[chore] ??= 0;
    do {
      setCurrentDetails(detailsOf(done, failed, chore));
      try {
        const step = await choreActivities.doChore.executeWithOptions({ summary: chore }, [{ chore, after }]);
        done[chore] += step.done;
        after = step.after;
      } catch (error) {
        if (isCancellation(error)) throw error;
        log.warn('a chore could not be done', { chore });
        failed.push(chore);
        after = undefined;
      }
      if (after !== undefined && workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof housekeeping>({
          chores: input.chores.slice(place),
          after,
          result: { done, failed },
        });
      }
    } while (after !== undefined);
  }
  setCurrentDetails(detailsOf(done, failed));
  if (failed.length > 0) {
    throw ApplicationFailure.nonRetryable(`No se pudo: ${failed.join(', ')}`, 'ChoresFailed', { done, failed });
  }
  return { done, failed };
}

const detailsOf = (done: Readonly<Record<string, number>>, failed: readonly string[], now?: string): string =>
  Object.entries(done)
    .map(([chore, n]) => `- ${chore}: ${failed.includes(chore) ? 'no se pudo' : n}${chore === now ? ' …' : ''}`)
    .join('\n');
