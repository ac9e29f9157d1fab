import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation, patched, startChild } from '@temporalio/workflow';
import { isFinal } from '../domain/quote-status.ts';
import { expiryStart, type LifecycleInput, type LifecycleState, signals, workflowIds } from './contract.ts';
import type { expiryReminder } from './expiry-reminder.ts';

/** Sentinel: forces a new `reschedule` signal, because a setting changed. */
export const SETTINGS_CHANGED = 'settings changed';

// Start and signal race with the other execution closing; the number of retries is bounded.
const MAX_TRIES = 5;

/** The part of a quote's record that its expiry reminders and follow-ups depend on. Recorded states without a share keep theirs. */
export const expiryKey = ({ status, version, expiresAt, sharedAt }: LifecycleState): string =>
  [status, version, expiresAt, sharedAt].filter(Boolean).join(' ');

/** Whether to notify `expiryReminder` of this state: while the quote is SENT, and once more when it is final or its new expiry has passed. */
export function concernsExpiry(state: LifecycleState, told: string | undefined): boolean {
  if (expiryKey(state) === told) return false;
  if (isFinal(state.status)) return told !== undefined;
  if (state.status !== 'SENT') return false;
  if (Date.parse(state.expiresAt) > Date.now()) return true;
  // Moved to a time that was past when it was read: the reminder waits for the former one. Older histories did not tell it.
  return told !== undefined && told !== SETTINGS_CHANGED && patched('expiry-passed');
}

/** Makes the quote's `expiryReminder` read the record: starts it, or signals the running one. */
export async function tellExpiryReminder(
  { quote, tenantSlug }: LifecycleInput,
  { quoteNumber, status }: LifecycleState,
): Promise<void> {
  const workflowId = workflowIds.expiry({ tenantSlug, quoteNumber });
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    // One that is to end need not be started for it.
    if (isFinal(status)) return void (await signalled(workflowId));
    if (await started(expiryStart(quote, { workflowId, quoteNumber }))) return;
    if (await signalled(workflowId)) return;
  }
}

async function started(options: ReturnType<typeof expiryStart>): Promise<boolean> {
  try {
    // It outlives the run of the quote, which may begin anew.
    await startChild<typeof expiryReminder>('expiryReminder', { ...options, parentClosePolicy: 'ABANDON' });
    return true;
  } catch (error) {
    // Children cannot be started "or use the existing one".
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

async function signalled(workflowId: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signals.reschedule);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    // It has ended meanwhile.
    return false;
  }
}
