import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation, startChild, workflowInfo } from '@temporalio/workflow';
import { isFinal } from '../domain/quote-status.ts';
import { expiryStart, type LifecycleState, type QuoteRef, signals } from './contract.ts';
import type { expiryReminder } from './expiry-reminder.ts';

// Each turn means that the other run ended between two of our calls; it does not do so for ever.
const TURNS = 5;

/** What the moments before a quote's end depend on, of its record. */
export const expiryKey = ({ status, version, expiresAt }: LifecycleState): string =>
  `${status} ${version} ${expiresAt}`;

/** Whether `expiryReminder` is to hear of this state: while the quote is SENT, and once more when it is final. */
export function concernsExpiry(state: LifecycleState | undefined, told: string | undefined): state is LifecycleState {
  if (!state || expiryKey(state) === told) return false;
  if (isFinal(state.status)) return told !== undefined;
  return state.status === 'SENT' && Date.parse(state.expiresAt) > Date.now();
}

/** Sees to it that the quote's `expiryReminder` looks at the record: starts it, or tells the one that runs. */
export async function tellExpiryReminder(quote: QuoteRef, { quoteNumber, status }: LifecycleState): Promise<void> {
  // Ours is quote.<tenant slug>.COT-<n>.
  const workflowId = workflowInfo().workflowId.replace(/^quote\./, 'expiry.');
  for (let turn = 1; turn <= TURNS; turn += 1) {
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
