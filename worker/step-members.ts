import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';

/** Ids in the input of a step that say what it is about. */
const SUBJECTS = ['tenantId', 'quoteId', 'deliveryId', 'mailId', 'logId', 'reminderId'] as const;

const subjects = new WeakMap<Context, object>();

/** Members of each line that is logged while a step runs: the run that it is a part of, and what it is about. */
export function stepMembers(): object {
  const context = asyncLocalStorage.getStore();
  if (!context) return {};
  const { workflowExecution, activityType, attempt } = context.info;
  return { ...workflowExecution, step: activityType, attempt, ...subjects.get(context) };
}

/** Notes what each step is about before it begins. */
export const noteSubject = (context: Context): ActivityInterceptors => ({
  inbound: {
    execute(input, next) {
      subjects.set(context, subjectOf(input.args[0]));
      return next(input);
    },
  },
});

/** The ids of an input; those of a share stand in its `quote`. */
function subjectOf(input: unknown): object {
  const ids = new Map(entriesOf(input));
  const all = [...ids, ...entriesOf(ids.get('quote'))];
  return Object.fromEntries(
    all.filter(([name, value]) => SUBJECTS.some((subject) => subject === name) && typeof value === 'string'),
  );
}

const entriesOf = (value: unknown): readonly [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
