import { readdirSync, readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type { History } from '../../ops/history.ts';

const FOLDER = new URL('../histories/', import.meta.url);

/** A committed history, under the id of its execution: a lifecycle derives its child's id from its own. */
export interface CommittedHistory {
  readonly file: string;
  readonly text: string;
  readonly workflowId: string;
  readonly history: History;
}

/**
 * The histories in `tests/histories/` whose names begin with that prefix, by name. Read synchronously, because each is
 * a test of its own.
 */
export function committedHistories(prefix = ''): readonly CommittedHistory[] {
  const files = readdirSync(FOLDER).filter((file) => file.startsWith(prefix) && file.endsWith('.json'));
  return files.toSorted().map((file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    const history = historyFromJSON(JSON.parse(text));
    // Some servers do not record it; workflows that do not read their id replay under any.
    const workflowId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId || file;
    return { file, text, workflowId, history };
  });
}
