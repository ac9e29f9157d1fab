import { TypedSearchAttributes } from '@temporalio/common';
import { attributes, once, queues, workflowIds } from './contract.ts';

/** How rescheduling reminders is started, and what it takes and returns. */

/** A settings change that moves the reminders of the tenant's SENT quotes. */
export interface RescheduleRef {
  readonly tenantId: string;
  /** Of the settings change. */
  readonly eventId: string;
}

export interface RescheduleInput extends RescheduleRef {
  /** Carried over continue-as-new: the number of the last quote that was signalled, and how many were. */
  readonly after?: number;
  readonly signalled?: number;
}

/** How the rescheduling ended, and how many quotes it signalled; `superseded`: a later change has a run of its own. */
export interface RescheduleResult {
  readonly outcome: 'done' | 'superseded';
  readonly signalled: number;
}

/** How rescheduling the reminders of a tenant is started. */
export const rescheduleStart = ({ tenantId, eventId }: RescheduleRef, requestId: string | null) => ({
  ...once,
  workflowId: workflowIds.reschedule({ eventId }),
  taskQueue: queues.workflows,
  args: [{ tenantId, eventId }] as [RescheduleInput],
  staticSummary: 'Recordatorios según los ajustes nuevos',
  typedSearchAttributes: new TypedSearchAttributes([{ key: attributes.tenantId, value: tenantId }]),
  memo: { requestId: requestId ?? '' },
  priority: { fairnessKey: tenantId },
});
