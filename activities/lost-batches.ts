import { type Client as TemporalClient, WorkflowNotFoundError } from '@temporalio/client';
import type { Knex } from 'knex';
import { takeFromBatch } from '../db/writes/delivery-batches.ts';
import { queues } from '../workflows/contract.ts';
import type { Unfinished } from './unfinished-kinds.ts';

const CALL_DEADLINE_MS = 10_000;

/**
 * Of rows whose run seems to be missing, those that are in nobody's hands: rows of a batch are taken from it when its
 * run is over or lost. Temporal's list may be behind, and a delivery that is called for by two runs is called twice; so
 * the run itself is asked for.
 */
export async function withoutCarrier(
  { knex, temporal }: { readonly knex: Knex; readonly temporal: TemporalClient },
  rows: readonly Unfinished[],
): Promise<Unfinished[]> {
  const lost = new Map<string, boolean>();
  for (const { carriedBy } of rows) {
    if (carriedBy !== undefined && !lost.has(carriedBy)) lost.set(carriedBy, !(await isOpen(temporal, carriedBy)));
  }
  const stranded = rows.filter(({ carriedBy }) => carriedBy !== undefined && lost.get(carriedBy) === true);
  const taken = stranded.length === 0 ? [] : await takeFromBatch(knex, ids(stranded));
  return rows.filter(({ id, carriedBy }) => carriedBy === undefined || taken.includes(id));
}

const ids = (rows: readonly Unfinished[]): readonly string[] => rows.map(({ id }) => id);

async function isOpen(temporal: TemporalClient, workflowId: string): Promise<boolean> {
  try {
    const { status, taskQueue } = await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.getHandle(workflowId).describe(),
    );
    return status.name === 'RUNNING' && taskQueue === queues.workflows;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
